import c from"node:fs";import k from"node:path";import{pathToFileURL as M}from"node:url";import q from"node:zlib";var O={HOME:"/home/pyodide",PYTHONDONTWRITEBYTECODE:"1"},P=`
import importlib, json, site, zipfile
import dipsat
def answer(request):
    return json.dumps(dipsat.answer(json.loads(request)))
def unpack(path):
    with zipfile.ZipFile(path) as packed:
        names = [name for name in packed.namelist() if ".cpython-" not in name]
        packed.extractall(site.getsitepackages()[0], names)
    importlib.invalidate_caches()
`,p=(t,e,n)=>new TextDecoder().decode(t.subarray(e,n)).split("\0")[0];function*A(t){for(let e=0;e+512<=t.length&&t[e]!==0;){let n=t.subarray(e,e+512),o=Number.parseInt(p(n,124,136),8),a=p(n,345,500),i=p(n,0,100);yield[a?`${a}/${i}`:i,t.subarray(e+512,e+512+o)],e+=512+512*Math.ceil(o/512)}}var R=t=>async(e,{sitePackages:n})=>{let o=new Set;for(let[a,i]of A(await t)){let l=`${n}/${a}`,u=l.slice(0,l.lastIndexOf("/"));o.has(u)||e.mkdirTree(u),o.add(u),e.writeFile(l,i,{canOwn:!0}),e.utime(l,9466848e5,9466848e5)}};async function S(t,e,n,o={}){let a=await t.loadPyodide({indexURL:e,env:{...O},fsInit:R(n),...o});return a.runPython(P),a}var E=t=>t.globals.get("answer");var d={rules:`extends: datc
title: My rules
`,orders:`England:
 F London Supports F Wales - English Channel
 F Wales - English Channel
France:
 A Brest - London
 F English Channel Convoys A Brest - London
`,map:null,position:null,compare:["datc"],search:null};var f="memory.pack",h={text:d.rules,name:"rules.yaml"},s={orders:d.orders,lenient:!0,seconds:20,rules:h},x={request:"adjudicate",...s},v=[x,{request:"rules",what:"check",rules:h},{request:"svg",...s},{request:"prove",...s},{request:"svg",what:"cycle",...s},{request:"compare",...s,rules:[h,"datc"]},{request:"legal-orders",...s},{request:"explain",unit:"A BRE",...s},{request:"svg",what:"explanation",unit:"A BRE",...s},{request:"rules"},{request:"rules",what:"words"},{request:"rules",what:"entries"},{request:"maps"},{request:"cases",names:["6.F.14"]},{request:"search",question:"paradox",...s,solver:"z3"}],r=`${k.resolve(process.argv.at(-1))}${k.sep}`,w=JSON.parse(c.readFileSync(`${r}engine.json`,"utf8")),I=await import(M(`${r}pyodide.mjs`)),N=q.gunzipSync(c.readFileSync(r+w.packed)),y=await S(I,r,N,{_makeSnapshot:!0,_sysExecutable:"python"}),g=E(y);for(let t of v)g(JSON.stringify(t));var F=JSON.stringify(x),m={request:F,answer:g(F)};if(!JSON.parse(m.answer).answer)throw new Error(m.answer);g.destroy();y.runPython("import gc; gc.collect()");var b=y.makeMemorySnapshot(),T=q.gzipSync(b);c.writeFileSync(r+f,T);c.chmodSync(r+f,c.statSync(`${r}engine.json`).mode);w.memory={name:f,size:T.length,bytes:b.length,check:m};c.writeFileSync(`${r}engine.json`,`${JSON.stringify(w,null,1)}
`);process.exit(0);
