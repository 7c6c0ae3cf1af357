import c from"node:fs";import q from"node:path";import{pathToFileURL as I}from"node:url";import x from"node:zlib";var A={HOME:"/home/pyodide",PYTHONDONTWRITEBYTECODE:"1"},F=`
import json
import dipsat
def answer(request):
    return json.dumps(dipsat.answer(json.loads(request)))
`,p=(e,t,n)=>new TextDecoder().decode(e.subarray(t,n)).split("\0")[0];function*k(e){for(let t=0;t+512<=e.length&&e[t]!==0;){let n=e.subarray(t,t+512),o=Number.parseInt(p(n,124,136),8),a=p(n,345,500),i=p(n,0,100);yield[a?`${a}/${i}`:i,e.subarray(t+512,t+512+o)],t+=512+512*Math.ceil(o/512)}}function R(e,t,n){let o=new Set;for(let[a,i]of k(n)){let u=`${t}/${a}`,l=u.slice(0,u.lastIndexOf("/"));o.has(l)||e.mkdirTree(l),o.add(l),e.writeFile(u,i,{canOwn:!0}),e.utime(u,9466848e5,9466848e5)}}var M=e=>async(t,{sitePackages:n})=>R(t,n,await e);async function E(e,t,n,o={}){let a=await e.loadPyodide({indexURL:t,env:{...A},fsInit:M(n),...o});return a.runPython(F),a}var S=e=>e.globals.get("answer");var d={rules:`extends: datc
title: My rules
`,orders:`England:
 F London Supports F Wales - English Channel
 F Wales - English Channel
France:
 A Brest - London
 F English Channel Convoys A Brest - London
`,map:null,position:null,compare:["datc"],search:null};var f="memory.pack",h={text:d.rules,name:"rules.yaml"},s={orders:d.orders,lenient:!0,seconds:20,rules:h},P={request:"adjudicate",...s},N=[P,{request:"rules",what:"check",rules:h},{request:"svg",...s},{request:"prove",...s},{request:"svg",what:"cycle",...s},{request:"compare",...s,rules:[h,"datc"]},{request:"legal-orders",...s},{request:"explain",unit:"A BRE",...s},{request:"svg",what:"explanation",unit:"A BRE",...s},{request:"rules"},{request:"rules",what:"words"},{request:"rules",what:"entries"},{request:"maps"},{request:"cases",names:["6.F.14"]},{request:"search",question:"paradox",...s}],r=`${q.resolve(process.argv.at(-1))}${q.sep}`,y=JSON.parse(c.readFileSync(`${r}engine.json`,"utf8")),_=await import(I(`${r}pyodide.mjs`)),v=x.gunzipSync(c.readFileSync(r+y.packed)),g=await E(_,r,v,{_makeSnapshot:!0,_sysExecutable:"python"}),w=S(g);for(let e of N)w(JSON.stringify(e));var b=JSON.stringify(P),m={request:b,answer:w(b)};if(!JSON.parse(m.answer).answer)throw new Error(m.answer);w.destroy();g.runPython("import gc; gc.collect()");var O=g.makeMemorySnapshot(),T=x.gzipSync(O);c.writeFileSync(r+f,T);c.chmodSync(r+f,c.statSync(`${r}engine.json`).mode);y.memory={name:f,size:T.length,bytes:O.length,check:m};c.writeFileSync(`${r}engine.json`,`${JSON.stringify(y,null,1)}
`);process.exit(0);
