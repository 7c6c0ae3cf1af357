var s=null,i=null,o=null,p=e=>postMessage({told:e});async function l(e){let t=await fetch(e);if(!t.ok)throw new Error(`${e}: ${t.status} ${t.statusText}`);return new Uint8Array(await t.arrayBuffer())}var m=`
import importlib, os, site, sys, zipfile
sys.dont_write_bytecode = False
def unpack(path):
    top = site.getsitepackages()[0]
    with zipfile.ZipFile(path) as packed:
        names = [name for name in packed.namelist() if ".cpython-" not in name or name.endswith(".pyc")]
        packed.extractall(top, names)
        for name in names:
            os.utime(os.path.join(top, name), (946684800, 946684800))
    importlib.invalidate_caches()
`,w=`
import json, dipsat
def answer(request):
    return json.dumps(dipsat.answer(json.loads(request)))
`,h=`
import io, os, site, zipfile
def compiled():
    top, packed = site.getsitepackages()[0], io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as made:
        for folder, _, names in os.walk(top):
            for name in names:
                path = os.path.join(folder, name)
                if name.endswith(".pyc"):
                    made.write(path, os.path.relpath(path, top))
    return packed.getvalue()
compiled()
`;async function c(e){s.FS.writeFile("/tmp/packed.zip",e),s.runPython('unpack("/tmp/packed.zip")')}async function y(e){p("Loading Python …");let t=import(new URL("pyodide.mjs",self.location.href).href),a=e.packages.map(l),d=k(e);o=e.z3;let{loadPyodide:u}=await t;s=await u({indexURL:new URL("./",self.location.href).href}),s.runPython(m),p("Loading dipsat …");for(let f of a)await c(await f);let r=await d;r&&await c(r),s.runPython(w),i=s.globals.get("answer"),r||setTimeout(()=>g(e),3e3)}async function k({version:e}){try{let t=await(await caches.open("dipsat-lab")).match(`compiled-${e}`);return t?new Uint8Array(await t.arrayBuffer()):null}catch{return null}}async function g({version:e}){try{let t=s.runPython(h),a=t.toJs();t.destroy(),await caches.delete("dipsat-lab"),await(await caches.open("dipsat-lab")).put(`compiled-${e}`,new Response(a))}catch{}}async function b(e){let t=i(e);if(o===null||JSON.parse(t).error?.kind!=="SolverError")return t;p("Loading Z3 …");let a=o;return o=null,await c(await l(a)),i(e)}var n=Promise.resolve();self.onmessage=({data:e})=>{if(e.files){n=y(e.files),n.catch(()=>{});return}let t=n;n=(async()=>{await t,postMessage({number:e.number,answer:await b(e.request)})})(),n=n.catch(a=>{if(postMessage({number:e.number,failed:`The engine failed: ${a.message||a}`}),i===null)throw a}),n.catch(()=>{})};
