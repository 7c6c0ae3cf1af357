// The two editors: rules in YAML with completion and the meaning of words, and orders.
import { autocompletion } from "@codemirror/autocomplete";
import { yaml } from "@codemirror/lang-yaml";
import { syntaxHighlighting } from "@codemirror/language";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { EditorView, hoverTooltip } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";
import { basicSetup } from "codemirror";
import { make } from "./dom.mjs";

// The text is there from the beginning, so undoing cannot go back beyond it.
export function makeEditor(parent, name, text, changed, extensions = []) {
  return new EditorView({
    parent,
    doc: text,
    extensions: [
      basicSetup,
      syntaxHighlighting(classHighlighter),
      lintGutter(),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ "aria-label": name, "aria-describedby": "editing", spellcheck: "false" }),
      EditorView.updateListener.of((update) => update.docChanged && changed()),
      ...extensions,
    ],
  });
}

export const yamlLanguage = () => [yaml()];

export const textOf = (editor) => editor.state.doc.toString();

export function setText(editor, text) {
  if (textOf(editor) === text) return;
  editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } });
}

// Faults are marked where the engine says; a fault without a place is marked at the first line.
export function mark(editor, faults, remarks = []) {
  const { doc } = editor.state;
  const marker = (severity) => ({ line, column, message }) => {
    const at = doc.line(Math.max(1, Math.min(line ?? 1, doc.lines)));
    const from = Math.min(at.from + Math.max(0, (column ?? 1) - 1), at.to);
    const word = /^[\w.]+/.exec(doc.sliceString(from, at.to));
    return { from, to: word ? from + word[0].length : at.to, severity, message };
  };
  const found = [...faults.map(marker("error")), ...remarks.map(marker("warning"))];
  editor.dispatch(setDiagnostics(editor.state, found.sort((one, other) => one.from - other.from)));
}

// Puts the cursor at a line and column, from 1.
export function goTo(editor, line, column) {
  const at = editor.state.doc.line(Math.max(1, Math.min(line ?? 1, editor.state.doc.lines)));
  const anchor = Math.min(at.from + Math.max(0, (column ?? 1) - 1), at.to);
  editor.dispatch({ selection: { anchor }, scrollIntoView: true });
  editor.focus();
}

// `words` maps a word to its kind and meaning; it may grow while the page loads.
export function rulesLanguage(words) {
  const complete = (context) => {
    const word = context.matchBefore(/[\w]+/);
    if (!word && !context.explicit) return null;
    const options = [...words].map(([label, { type, text }]) => ({ label, type, info: text }));
    return { from: word ? word.from : context.pos, options, validFor: /^\w*$/ };
  };
  const meaning = hoverTooltip((view, at) => {
    const line = view.state.doc.lineAt(at);
    for (const found of line.text.matchAll(/\w+/g)) {
      const from = line.from + found.index;
      const to = from + found[0].length;
      const known = from <= at && at <= to ? words.get(found[0]) : null;
      if (known) {
        const create = () => ({ dom: make("div", { class: "meaning" }, `${found[0]}: ${known.text}`) });
        return { pos: from, end: to, create };
      }
    }
    return null;
  });
  return [yaml(), autocompletion({ override: [complete] }), meaning];
}

export function wordsOf(words, entries) {
  const found = new Map();
  const add = (word, type, text) => {
    if (!found.has(word)) found.set(word, { type, text });
  };
  for (const [name, entry] of Object.entries(entries.decisions ?? {})) {
    add(name.replace(/\(.*/, ""), "function", `the decision ${name}: ${entry.text ?? "by conditions"}`);
  }
  for (const [name, entry] of Object.entries(entries.define ?? {})) {
    add(name.replace(/\(.*/, ""), "function", `${name}: ${entry.text}`);
  }
  for (const [owner, facts] of Object.entries(words.facts)) {
    for (const [name, { type, text }] of Object.entries(facts)) {
      add(name, "property", `${text} (a fact of ${owner}: ${type})`);
    }
  }
  for (const kind of ["quantifiers", "predicates"]) {
    for (const [name, text] of Object.entries(words[kind])) add(name, "keyword", String(text));
  }
  for (const [name, values] of Object.entries(words.settings)) {
    add(name, "variable", `a setting: ${values.join(", ")}`);
  }
  for (const name of words.keys) add(name, "type", "a key of rule files");
  return found;
}
