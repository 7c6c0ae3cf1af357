<<<<<<< HEAD
import c from"node:fs";import q from"node:path";import{pathToFileURL as I}from"node:url";import x from"node:zlib";var A={HOME:"/home/pyodide",PYTHONDONTWRITEBYTECODE:"1"},F=`
import json
import dipsat
def answer(request):
    return json.dumps(dipsat.answer(json.loads(request)))
`,p=(e,t,n)=>new TextDecoder().decode(e.subarray(t,n)).split("\0")[0];function*k(e){for(let t=0;t+512<=e.length&&e[t]!==0;){let n=e.subarray(t,t+512),o=Number.parseInt(p(n,124,136),8),a=p(n,345,500),i=p(n,0,100);yield[a?`${a}/${i}`:i,e.subarray(t+512,t+512+o)],t+=512+512*Math.ceil(o/512)}}function R(e,t,n){let o=new Set;for(let[a,i]of k(n)){let u=`${t}/${a}`,l=u.slice(0,u.lastIndexOf("/"));o.has(l)||e.mkdirTree(l),o.add(l),e.writeFile(u,i,{canOwn:!0}),e.utime(u,9466848e5,9466848e5)}}var M=e=>async(t,{sitePackages:n})=>R(t,n,await e);async function E(e,t,n,o={}){let a=await e.loadPyodide({indexURL:t,env:{...A},fsInit:M(n),...o});return a.runPython(F),a}var S=e=>e.globals.get("answer");var d={rules:`extends: datc
=======
import o from"node:fs";import E from"node:path";import{pathToFileURL as q}from"node:url";import R from"node:zlib";var M={HOME:"/home/pyodide",PYTHONDONTWRITEBYTECODE:"1"},v=`
import importlib, json, site, zipfile
import dipsat
def answer(request):
    return json.dumps(dipsat.answer(json.loads(request)))
def unpack(path):
    with zipfile.ZipFile(path) as packed:
        names = [name for name in packed.namelist() if ".cpython-" not in name]
        packed.extractall(site.getsitepackages()[0], names)
    importlib.invalidate_caches()
`,d=(n,e,a)=>new TextDecoder().decode(n.subarray(e,a)).split("\0")[0];function*I(n){for(let e=0;e+512<=n.length&&n[e]!==0;){let a=n.subarray(e,e+512),s=Number.parseInt(d(a,124,136),8),i=d(a,345,500),l=d(a,0,100);yield[i?`${i}/${l}`:l,n.subarray(e+512,e+512+s)],e+=512+512*Math.ceil(s/512)}}var N=n=>async(e,{sitePackages:a})=>{let s=new Set;for(let[i,l]of I(await n)){let u=`${a}/${i}`,p=u.slice(0,u.lastIndexOf("/"));s.has(p)||e.mkdirTree(p),s.add(p),e.writeFile(u,l,{canOwn:!0}),e.utime(u,9466848e5,9466848e5)}};async function F(n,e,a,s={}){let i=await n.loadPyodide({indexURL:e,env:{...M},fsInit:N(a),...s});return i.runPython(v),i}var w=n=>n.globals.get("answer");var f="my-rules.yaml",A={rules:`extends: datc
>>>>>>> main
title: My rules
`,orders:`England:
 F London Supports F Wales - English Channel
 F Wales - English Channel
France:
 A Brest - London
 F English Channel Convoys A Brest - London
<<<<<<< HEAD
`,map:null,position:null,compare:["datc"],search:null};var f="memory.pack",h={text:d.rules,name:"rules.yaml"},s={orders:d.orders,lenient:!0,seconds:20,rules:h},P={request:"adjudicate",...s},N=[P,{request:"rules",what:"check",rules:h},{request:"svg",...s},{request:"prove",...s},{request:"svg",what:"cycle",...s},{request:"compare",...s,rules:[h,"datc"]},{request:"legal-orders",...s},{request:"explain",unit:"A BRE",...s},{request:"svg",what:"explanation",unit:"A BRE",...s},{request:"rules"},{request:"rules",what:"words"},{request:"rules",what:"entries"},{request:"maps"},{request:"cases",names:["6.F.14"]},{request:"search",question:"paradox",...s}],r=`${q.resolve(process.argv.at(-1))}${q.sep}`,y=JSON.parse(c.readFileSync(`${r}engine.json`,"utf8")),_=await import(I(`${r}pyodide.mjs`)),v=x.gunzipSync(c.readFileSync(r+y.packed)),g=await E(_,r,v,{_makeSnapshot:!0,_sysExecutable:"python"}),w=S(g);for(let e of N)w(JSON.stringify(e));var b=JSON.stringify(P),m={request:b,answer:w(b)};if(!JSON.parse(m.answer).answer)throw new Error(m.answer);w.destroy();g.runPython("import gc; gc.collect()");var O=g.makeMemorySnapshot(),T=x.gzipSync(O);c.writeFileSync(r+f,T);c.chmodSync(r+f,c.statSync(`${r}engine.json`).mode);y.memory={name:f,size:T.length,bytes:O.length,check:m};c.writeFileSync(`${r}engine.json`,`${JSON.stringify(y,null,1)}
=======
`,map:null,position:null,compare:["datc"],search:null};var B=`# A game of two years. The rule lab opens it, and so does \`dipsat play\`.
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
`;var S="memory.pack",c={text:A.rules,name:f},t={orders:A.orders,lenient:!0,seconds:20,rules:c},T={request:"adjudicate",...t},C=[T,{request:"rules",what:"check",rules:c},{request:"svg",...t},{request:"prove",...t},{request:"svg",what:"cycle",...t},{request:"compare",...t,rules:[c,"datc"]},{request:"legal-orders",...t},{request:"explain",unit:"A BRE",...t},{request:"svg",what:"explanation",unit:"A BRE",...t},{request:"rules"},{request:"rules",what:"words"},{request:"rules",what:"entries"},{request:"maps"},{request:"maps",map:"standard"},{request:"replay",game:B,rules:c,limit:2},{request:"cases",names:["6.F.14"]},{request:"search",question:"paradox",...t,solver:"z3"}],r=`${E.resolve(process.argv.at(-1))}${E.sep}`,h=JSON.parse(o.readFileSync(`${r}engine.json`,"utf8")),H=await import(q(`${r}pyodide.mjs`)),x=R.gunzipSync(o.readFileSync(r+h.packed)),g=await F(H,r,x,{_makeSnapshot:!0,_sysExecutable:"python"}),y=w(g);for(let n of C)y(JSON.stringify(n));var k=JSON.stringify(T),m={request:k,answer:y(k)};if(!JSON.parse(m.answer).answer)throw new Error(m.answer);y.destroy();g.runPython("import gc; gc.collect()");var b=g.makeMemorySnapshot(),P=R.gzipSync(b);o.writeFileSync(r+S,P);o.chmodSync(r+S,o.statSync(`${r}engine.json`).mode);h.memory={name:S,size:P.length,bytes:b.length,check:m};o.writeFileSync(`${r}engine.json`,`${JSON.stringify(h,null,1)}
>>>>>>> main
`);process.exit(0);
