import i from"node:fs";import k from"node:path";import{pathToFileURL as M}from"node:url";import b from"node:zlib";var O={HOME:"/home/pyodide",PYTHONDONTWRITEBYTECODE:"1"},P=`
import importlib, json, site, zipfile
import dipsat
def answer(request):
    return json.dumps(dipsat.answer(json.loads(request)))
def unpack(path):
    with zipfile.ZipFile(path) as packed:
        names = [name for name in packed.namelist() if ".cpython-" not in name]
        packed.extractall(site.getsitepackages()[0], names)
    importlib.invalidate_caches()
`,m=(t,e,n)=>new TextDecoder().decode(t.subarray(e,n)).split("\0")[0];function*T(t){for(let e=0;e+512<=t.length&&t[e]!==0;){let n=t.subarray(e,e+512),o=Number.parseInt(m(n,124,136),8),a=m(n,345,500),c=m(n,0,100);yield[a?`${a}/${c}`:c,t.subarray(e+512,e+512+o)],e+=512+512*Math.ceil(o/512)}}var R=t=>async(e,{sitePackages:n})=>{let o=new Set;for(let[a,c]of T(await t)){let l=`${n}/${a}`,d=l.slice(0,l.lastIndexOf("/"));o.has(d)||e.mkdirTree(d),o.add(d),e.writeFile(l,c,{canOwn:!0}),e.utime(l,9466848e5,9466848e5)}};async function E(t,e,n,o={}){let a=await t.loadPyodide({indexURL:e,env:{...O},fsInit:R(n),...o});return a.runPython(P),a}var S=t=>t.globals.get("answer");var h={rules:`extends: datc
title: My rules
`,orders:`England:
 F London Supports F Wales - English Channel
 F Wales - English Channel
France:
 A Brest - London
 F English Channel Convoys A Brest - London
`,map:null,position:null,compare:["datc"]};var p="memory.pack",w={text:h.rules,name:"rules.yaml"},r={orders:h.orders,lenient:!0,seconds:20,rules:w},q={request:"adjudicate",...r},_=[q,{request:"rules",what:"check",rules:w},{request:"svg",...r},{request:"prove",...r},{request:"svg",what:"cycle",...r},{request:"compare",...r,rules:[w,"datc"]},{request:"legal-orders",...r},{request:"explain",unit:"A BRE",...r},{request:"svg",what:"explanation",unit:"A BRE",...r},{request:"rules"},{request:"rules",what:"words"},{request:"rules",what:"entries"},{request:"maps"},{request:"search",question:"paradox",...r,solver:"z3"}],s=`${k.resolve(process.argv.at(-1))}${k.sep}`,u=JSON.parse(i.readFileSync(`${s}engine.json`,"utf8")),v=await import(M(`${s}pyodide.mjs`)),I=b.gunzipSync(i.readFileSync(s+u.packed)),y=await E(v,s,I,{_makeSnapshot:!0,_sysExecutable:"python"}),g=S(y);for(let t of _)g(JSON.stringify(t));var F=JSON.stringify(q),f={request:F,answer:g(F)};if(!JSON.parse(f.answer).answer)throw new Error(f.answer);g.destroy();y.runPython("import gc; gc.collect()");var x=y.makeMemorySnapshot(),A=b.gzipSync(x,{level:9});i.writeFileSync(s+p,A);i.chmodSync(s+p,i.statSync(`${s}engine.json`).mode);u.sizes[p]=A.length;u.memory={name:p,bytes:x.length,check:f};i.writeFileSync(`${s}engine.json`,`${JSON.stringify(u,null,1)}
`);process.exit(0);
