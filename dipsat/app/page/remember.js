import i from"node:fs";import k from"node:path";import{pathToFileURL as q}from"node:url";import b from"node:zlib";var v={HOME:"/home/pyodide",PYTHONDONTWRITEBYTECODE:"1"},I=`
import json
import dipsat
def answer(request):
    return json.dumps(dipsat.answer(json.loads(request)))
`,d=(e,n,a)=>new TextDecoder().decode(e.subarray(n,a)).split("\0")[0];function*N(e){for(let n=0;n+512<=e.length&&e[n]!==0;){let a=e.subarray(n,n+512),s=Number.parseInt(d(a,124,136),8),o=d(a,345,500),l=d(a,0,100);yield[o?`${o}/${l}`:l,e.subarray(n+512,n+512+s)],n+=512+512*Math.ceil(s/512)}}function x(e,n,a){let s=new Set;for(let[o,l]of N(a)){let u=`${n}/${o}`,p=u.slice(0,u.lastIndexOf("/"));s.has(p)||e.mkdirTree(p),s.add(p),e.writeFile(u,l,{canOwn:!0}),e.utime(u,9466848e5,9466848e5)}}var G=e=>async(n,{sitePackages:a})=>x(n,a,await e);async function f(e,n,a,s={}){let o=await e.loadPyodide({indexURL:n,env:{...v},fsInit:G(a),...s});return o.runPython(I),o}var w=e=>e.globals.get("answer");var A="my-rules.yaml",c={rules:`extends: datc
title: My rules
`,orders:`England:
 F London Supports F Wales - English Channel
 F Wales - English Channel
France:
 A Brest - London
 F English Channel Convoys A Brest - London
`,map:null,variant:null,position:null,compare:["datc"],search:null,about:null,page:"lab"},O=/^\s*$|^extends: datc\n(title: My rules\n)?$/,B=({rules:e})=>O.test(e)?"datc":{text:e,name:A};var E=`# A game of two years. The rule lab opens it, and so does \`dipsat play\`.
Map: standard
Rules: datc

Spring 1901 Movement

Austria:
  A Vienna - Galicia
  A Budapest - Serbia
  F Trieste - Albania
England:
  F London - English Channel
  F Edinburgh - North Sea
  A Liverpool - Yorkshire
France:
  F Brest - English Channel
  A Paris - Burgundy
  A Marseilles - Spain
Germany:
  F Kiel - Denmark
  A Berlin - Kiel
  A Munich - Ruhr
Italy:
  A Venice Hold
  A Rome - Apulia
  F Naples - Ionian Sea
Russia:
  A Warsaw - Galicia
  A Moscow - Ukraine
  F Sevastopol - Black Sea
  F St. Petersburg/sc - Gulf of Bothnia
Turkey:
  F Ankara - Black Sea
  A Constantinople - Bulgaria
  A Smyrna - Constantinople

Fall 1901 Movement

Austria:
  A Vienna - Trieste
  A Serbia Supports F Albania - Greece
  F Albania - Greece
England:
  F London - English Channel
  F North Sea Convoys A Yorkshire - Norway
  A Yorkshire - Norway
France:
  F Brest Supports F London - English Channel
  A Burgundy - Belgium
  A Spain - Portugal
Germany:
  F Denmark - Sweden
  A Kiel - Holland
  A Ruhr Supports A Kiel - Holland
Italy:
  A Venice - Trieste
  A Apulia - Tunis
  F Ionian Sea Convoys A Apulia - Tunis
Russia:
  A Warsaw - Galicia
  A Ukraine - Rumania
  F Sevastopol Supports A Ukraine - Rumania
  F Gulf of Bothnia - Sweden
Turkey:
  F Ankara - Black Sea
  A Bulgaria - Rumania
  A Constantinople Hold

Winter 1901 Adjustment

Austria:
  Build A Budapest
  Build A Trieste
England:
  Build F Edinburgh
France:
  Build A Paris
  Build A Marseilles
Germany:
  Build A Munich
  Build F Kiel
Italy:
  Build F Naples
Russia:
  Build A Moscow
Turkey:
  Build F Smyrna

Spring 1902 Movement

Austria:
  A Serbia - Rumania
  A Budapest Supports A Serbia - Rumania
  A Vienna Supports A Budapest
  A Trieste Supports A Vienna
  F Greece Supports A Bulgaria
England:
  F English Channel - Irish Sea
  F North Sea - English Channel
  A Norway - Sweden
  F Edinburgh - Norwegian Sea
France:
  A Belgium Hold
  A Paris - Burgundy
  F Brest - English Channel
  A Portugal - Spain
  A Marseilles - Piedmont
Germany:
  A Munich - Burgundy
  A Ruhr Supports A Holland - Belgium
  A Holland - Belgium
  F Kiel - Holland
  F Denmark - Sweden
Italy:
  A Venice - Trieste
  F Ionian Sea - Aegean Sea
  F Naples - Ionian Sea
  A Tunis Hold
Russia:
  A Rumania - Bulgaria
  F Sevastopol - Rumania
  A Galicia - Budapest
  A Moscow - Ukraine
  F Gulf of Bothnia - Sweden
Turkey:
  F Black Sea - Sevastopol
  A Bulgaria Supports A Serbia - Rumania
  A Constantinople Supports A Bulgaria
  F Smyrna - Aegean Sea

Spring 1902 Retreat

France:
  A Belgium - Picardy

Fall 1902 Movement

Austria:
  A Rumania Supports F Black Sea - Sevastopol
  A Budapest - Galicia
  A Vienna Supports A Budapest - Galicia
  A Trieste Supports A Vienna
  F Greece - Aegean Sea
England:
  F Irish Sea - Mid-Atlantic Ocean
  F North Sea - English Channel
  A Norway - Sweden
  F Norwegian Sea - Barents Sea
France:
  A Picardy - Belgium
  A Paris - Burgundy
  F Brest - Picardy
  A Spain - Portugal
  A Piedmont - Venice
Germany:
  A Belgium Hold
  A Munich - Burgundy
  A Ruhr Supports A Belgium
  F Holland - Kiel
  F Denmark - Sweden
Italy:
  A Venice - Piedmont
  F Ionian Sea Convoys A Tunis - Albania
  A Tunis - Albania
  F Naples - Tyrrhenian Sea
Russia:
  F Sevastopol Hold
  A Galicia Hold
  A Ukraine Supports A Galicia
  F Gulf of Bothnia - Sweden
Turkey:
  F Black Sea - Sevastopol
  A Bulgaria Supports A Rumania
  A Constantinople Hold
  F Smyrna - Aegean Sea

Fall 1902 Retreat

Russia:
  F Sevastopol Disband

Winter 1902 Adjustment
`;var g="memory.pack",S=B(c),t={orders:c.orders,lenient:!0,seconds:20,rules:S},T={request:"adjudicate",...t},C=[T,{request:"rules",what:"check",rules:{text:c.rules,name:A}},{request:"svg",...t},{request:"prove",...t},{request:"svg",what:"cycle",...t},{request:"compare",...t,rules:[S,"datc"]},{request:"legal-orders",...t},{request:"explain",unit:"A BRE",...t},{request:"svg",what:"explanation",unit:"A BRE",...t},{request:"rules"},{request:"rules",what:"words"},{request:"rules",what:"entries"},{request:"maps"},{request:"maps",map:"standard"},{request:"replay",game:E,rules:S,limit:2},{request:"cases",names:["6.F.14"]},{request:"search",question:"paradox",...t}],r=`${k.resolve(process.argv.at(-1))}${k.sep}`,h=JSON.parse(i.readFileSync(`${r}engine.json`,"utf8")),L=await import(q(`${r}pyodide.mjs`)),_=b.gunzipSync(i.readFileSync(r+h.packed)),y=await f(L,r,_,{_makeSnapshot:!0,_sysExecutable:"python"}),F=w(y);for(let e of C)F(JSON.stringify(e));var R=JSON.stringify(T),m={request:R,answer:F(R)};if(!JSON.parse(m.answer).answer)throw new Error(m.answer);F.destroy();y.runPython("import gc; gc.collect()");var P=y.makeMemorySnapshot(),M=b.gzipSync(P);i.writeFileSync(r+g,M);i.chmodSync(r+g,i.statSync(`${r}engine.json`).mode);h.memory={name:g,size:M.length,bytes:P.length,check:m};i.writeFileSync(`${r}engine.json`,`${JSON.stringify(h,null,1)}
`);process.exit(0);
