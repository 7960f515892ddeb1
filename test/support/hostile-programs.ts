/**
 * Programs that want to harm whoever runs them. Each says `got: …` where it has got what it wants, and nothing like that otherwise. What is in braces is filled in by the
 * test: `{secret}` and `{folder}` are a file and a folder of this machine, `{port}` a server on it.
 */
export interface HostileProgram {
  does: string;
  program: string;
  /** Default: one, empty. */
  inputs?: string[];
  /** How it may end. Default: all of them, for most of these only have to end. */
  ends?: RegExp;
  /** What it says, if it ran to its end. */
  says?: RegExp;
}

/** Python reaches the JavaScript around it, and wants more of it. */
const IN_JAVASCRIPT = `
import pyodide_js, builtins
from pyodide.ffi import create_proxy, to_js
Object = pyodide_js.constructor
Function = Object.constructor
Array = to_js([1]).constructor
def as_object(**fields):
    return to_js(fields, dict_converter=Object.fromEntries)
`;

const PROGRAMS: HostileProgram[] = [
  { does: 'runs a command of the system', program: 'import os\nprint("got:", os.popen("id").read())' },
  { does: 'asks the system for a command', program: 'import os\nif os.system("id") == 0: print("got: system")' },
  {
    does: 'starts a program',
    program: 'import subprocess\nprint("got:", subprocess.run(["id"], capture_output=True).stdout)',
  },
  { does: 'starts a shell', program: 'import subprocess\nprint("got:", subprocess.check_output("id", shell=True))' },
  { does: 'becomes another program', program: 'import os\nos.execv("/bin/sh", ["sh", "-c", "echo got: exec"])' },
  { does: 'spawns a program', program: 'import os\nprint("got:", os.posix_spawn("/bin/id", ["id"], {}))' },
  { does: 'forks', program: 'import os\nprint("got:", os.fork())' },
  { does: 'forks without an end', program: 'import os\nwhile True:\n    os.fork()' },
  { does: 'opens a terminal', program: 'import pty\npty.spawn("/bin/sh")\nprint("got: pty")' },
  {
    does: 'uses processes for its work',
    program:
      'import multiprocessing\np = multiprocessing.Process(target=print, args=("got: process",))\np.start()\np.join()',
  },
  {
    does: 'starts a thread',
    program: 'import threading\nt = threading.Thread(target=print, args=("got: thread",))\nt.start()\nt.join()',
  },
  {
    does: 'starts a thread below the module for it',
    program: 'import _thread, time\n_thread.start_new_thread(print, ("got: thread",))\ntime.sleep(0.2)',
  },

  {
    does: 'connects',
    program:
      'import socket\ns = socket.create_connection(("127.0.0.1", {port}), 2)\ns.sendall(b"GET / HTTP/1.0\\r\\n\\r\\n")\nprint("got:", s.recv(100))',
  },
  {
    does: 'sends datagrams',
    program:
      'import socket\nsocket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", {port}))\nprint("sent")',
  },
  {
    does: 'connects to a socket in the file system',
    program:
      'import socket\ns = socket.socket(socket.AF_UNIX)\ns.connect("/var/run/docker.sock")\ns.sendall(b"GET / HTTP/1.0\\r\\n\\r\\n")\nif s.recv(1): print("got: unix")',
  },
  {
    does: 'listens',
    program:
      'import socket\ns = socket.socket()\ns.bind(("127.0.0.1", 0))\ns.listen()\ns.setblocking(False)\ns.accept()\nprint("got: accept")',
  },
  {
    does: 'fetches an address',
    program:
      'import urllib.request\nprint("got:", urllib.request.urlopen("http://127.0.0.1:{port}", timeout=2).read())',
  },
  {
    does: 'fetches over http.client',
    program:
      'import http.client\nc = http.client.HTTPConnection("127.0.0.1", {port}, timeout=2)\nc.request("GET", "/")\nprint("got:", c.getresponse().read())',
  },
  {
    does: 'fetches with Pyodide',
    program:
      'from pyodide.http import pyfetch\nimport asyncio\nprint(asyncio.ensure_future(pyfetch("http://127.0.0.1:{port}")))',
  },
  {
    does: 'opens an address with Pyodide',
    program: 'from pyodide.http import open_url\nprint("got:", open_url("http://127.0.0.1:{port}").read())',
  },
  {
    does: 'looks a name up',
    program: 'import socket\nif socket.gethostbyname("localhost").startswith("127"): print("got: localhost")',
  },
  {
    does: 'asks for sockets of Node',
    inputs: ['ask', 'stream', 'datagram'],
    program: `import pyodide_js, socket
pyodide_js._api.initializeNodeSockFS()
step = input()
if step == "stream": socket.socket().connect(("127.0.0.1", {port}))
if step == "datagram": socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", {port}))`,
  },

  {
    does: 'reads files of the system',
    program:
      'for path in ("/etc/passwd", "/etc/hosts", "/proc/self/environ", "/proc/1/cmdline"):\n    try: print("got:", open(path).read())\n    except OSError: pass',
    ends: /^ran$/,
  },
  { does: 'reads a file of this account', program: 'print("got:", open("{secret}").read())' },
  { does: 'lists a folder of this account', program: 'import os\nprint("got:", os.listdir("{folder}"))' },
  {
    does: 'writes into a folder of this account',
    program:
      'import os\nos.makedirs("{folder}", exist_ok=True)\nopen("{folder}/made", "w").write("x")\nprint("in memory")',
  },
  {
    does: 'leads there by a link',
    program: 'import os\nos.symlink("{folder}", "/tmp/there")\nprint("got:", os.listdir("/tmp/there"))',
  },
  {
    does: 'reads the environment',
    program:
      'import os\nprint(dict(os.environ))\nfor name in ("NODE_OPTIONS", "NODE_CHANNEL_FD", "QUARRY_SECRET", "SHELL"):\n    if name in os.environ: print("got:", name)',
    ends: /^ran$/,
  },
  {
    does: 'mounts folders with Pyodide',
    program: `${IN_JAVASCRIPT}
import os
for mount in (lambda: pyodide_js.mountNodeFS("/one", "{folder}"),
              lambda: pyodide_js.FS.mount(pyodide_js._module.NODEFS, as_object(root="{folder}"), "/home"),
              lambda: pyodide_js.FS.mount(pyodide_js.FS.filesystems.NODEFS, as_object(root="/"), "/home")):
    try:
        mount()
    except BaseException: pass
for path in ("/one", "/home"):
    try: print("got:", open(path + "/secret").read())
    except BaseException: pass
    try: open(path + "/made", "w").write("x")
    except BaseException: pass`,
  },
  {
    does: 'has Pyodide load a file',
    program:
      'import pyodide_js\nprint(pyodide_js._api.loadBinaryFile("{secret}"))\nprint("got:", pyodide_js._module.readBinary("{secret}"))',
  },
  {
    does: 'opens descriptors that it was not given',
    program: 'import os\nfor fd in range(3, 64):\n    try: print("got:", os.read(fd, 1))\n    except OSError: pass',
  },

  { does: 'imports JavaScript', program: 'import js\nprint("got:", js.process)' },
  { does: 'imports names of JavaScript', program: 'from js import fetch\nprint("got:", fetch)' },
  { does: 'runs a text as JavaScript', program: 'from pyodide.code import run_js\nprint("got:", run_js("1 + 1"))' },
  {
    does: 'makes a function of a text',
    program: `${IN_JAVASCRIPT}\nprint("got:", Function("return 1")())`,
  },
  {
    does: 'makes an asynchronous function of a text',
    program: `${IN_JAVASCRIPT}\nprint("got:", pyodide_js.runPythonAsync.constructor("return globalThis")())`,
  },
  {
    does: 'has Emscripten run a text',
    program: 'import ctypes\nctypes.CDLL(None).emscripten_run_script(b"globalThis.x = 1")\nprint("got: script")',
  },
  {
    does: 'asks every object for Node',
    program: `${IN_JAVASCRIPT}
names = ("process", "require", "Buffer", "global", "module", "WebSocket", "fetch", "setImmediate", "structuredClone")
for thing in (pyodide_js, pyodide_js._module, pyodide_js._api, pyodide_js._api.config, pyodide_js.FS):
    for name in names:
        if Object.getOwnPropertyDescriptor(thing, name): print("got:", name)`,
    ends: /^ran$/,
  },
  {
    does: 'waits at the prototypes for an object of Node',
    inputs: ['set', 'look', 'look'],
    program: `${IN_JAVASCRIPT}
import sys
seen = []
def setter(this, value, *rest):
    seen.append(this)
    name = getattr(getattr(this, "constructor", None), "name", "")
    if name in ("WriteWrap", "Pipe", "Control", "Socket", "process", "EventEmitter"): print("got:", name)
for name in ("oncomplete", "handle", "callback", "async", "bytes", "domain", "_events", "error", "then", "cmd"):
    Object.prototype.__defineSetter__(name, create_proxy(setter, capture_this=True))
sys.modules["seen"] = seen
print("x" * 990_000)`,
  },
  {
    does: 'reads the stack of JavaScript',
    program: `${IN_JAVASCRIPT}
try: Object.defineProperty(1, 2, 3)
except BaseException as error: Error = Object.getPrototypeOf(error.js_error.constructor)
def prepare(error, sites):
    if sites.constructor.js_id != Array.js_id: print("got: an array")
    for site in sites:
        for thing in (site.getThis(), site.getFunction()):
            name = getattr(getattr(thing, "constructor", None), "name", "")
            if name in ("Object", "process", "Socket", "Function") and "exports" not in dir(thing): print("got:", name)
    return to_js("seen")
Error.stackTraceLimit = 500
Error.prepareStackTrace = create_proxy(prepare)
print(Error.new("x").stack)`,
    says: /^seen$/m,
  },
  {
    does: 'wants to be looked at when it is thrown',
    inputs: ['throw', 'look'],
    program: `${IN_JAVASCRIPT}
Promise = pyodide_js._api.packageIndexReady.constructor
Symbol = Object.getOwnPropertySymbols(Object.getPrototypeOf(to_js([1])))[0].constructor
inspect = getattr(Symbol, "for")("nodejs.util.inspect.custom")
Object.defineProperty(Object.prototype, inspect, as_object(value=create_proxy(lambda *given: print("got:", given))))
Promise.reject(as_object(a=1))
print(input())`,
  },
  {
    does: 'spoils what its result is made of',
    program: `${IN_JAVASCRIPT}
Object.prototype.toJSON = create_proxy(lambda *_: as_object(type="ready"))
print("spoilt")`,
  },
  {
    does: 'answers main in our stead',
    program:
      'import sys\nfor text in (\'{"type":"ready"}\', \'{"type":"ran","stdout":"1","stderr":"","truncated":false,"spent":false}\', "NODE_HANDLE"):\n    print(text)\n    print(text, file=sys.stderr)',
    ends: /^ran$/,
    says: /"type":"ready"/,
  },
  {
    does: 'imports the inside of Pyodide',
    program:
      'import _pyodide_core, _pyodide, pyodide_js\nprint(dir(_pyodide_core)[:3])\nif pyodide_js._api.runtimeEnv.IN_NODE: print("got: Node")',
  },
  {
    does: 'registers modules of JavaScript',
    program:
      'import pyodide_js\npyodide_js.registerJsModule("host", pyodide_js._module)\nimport host\nprint("got:", host.process)',
  },
  {
    does: 'walks the garbage collector to JavaScript',
    program: `
import gc, sys
for thing in gc.get_objects():
    if type(thing).__name__ == "JsProxy":
        for name in ("process", "require", "global"):
            if getattr(thing, name, None) is not None: print("got:", name)`,
  },
  {
    does: 'forges modules',
    program:
      'import sys, types\nfor name in list(sys.modules):\n    if name not in ("sys", "builtins"): sys.modules[name] = types.ModuleType(name)\nimport os\nprint("got:", os.environ)',
  },
  {
    does: 'loads code of WebAssembly',
    program: `${IN_JAVASCRIPT}
open("/tmp/x.so", "wb").write(b"\\0asm\\1\\0\\0\\0")
import ctypes
print("got:", ctypes.CDLL("/tmp/x.so"))`,
  },
  { does: 'reads memory', program: 'import ctypes\nprint(ctypes.string_at(0, 8))' },
  {
    does: 'writes all over its memory',
    program: 'import ctypes\nfor at in range(0, 2**24, 64): ctypes.memset(at, 255, 64)\nprint("wrote")',
  },
  { does: 'calls the C library', program: 'import ctypes\nctypes.CDLL(None).system(b"echo got: it")' },
  { does: 'installs packages', program: '__import__("micropip").install("six")\nprint("got: micropip")' },
  {
    does: 'has Pyodide load packages',
    program: 'import pyodide_js, asyncio\nprint(pyodide_js.loadPackage("http://127.0.0.1:{port}/x.whl"))',
  },
  {
    does: 'debugs JavaScript',
    program:
      'import pyodide_js\npyodide_js.setDebug(True)\npyodide_js._module._emscripten_debugger()\nprint("went on")',
  },

  { does: 'takes memory at once', program: 'x = bytearray(10**9)\nprint("got:", len(x))', ends: /^(ran|died)$/ },
  {
    does: 'takes memory bit by bit',
    program: 'x = []\nwhile True: x.append(bytearray(10**6))',
    ends: /^(ran|died|late)$/,
  },
  { does: 'takes memory in a list', program: 'x = [0] * 10**9\nprint("got:", len(x))', ends: /^(ran|died)$/ },
  { does: 'doubles a text', program: 'x = "a"\nwhile True: x += x', ends: /^(ran|died|late)$/ },
  {
    does: 'unpacks a bomb',
    program: 'import zlib\nx = zlib.compress(b"0" * 10**7)\ny = []\nwhile True: y.append(zlib.decompress(x))',
    ends: /^(ran|died|late)$/,
  },
  {
    does: 'takes memory of JavaScript',
    program: `${IN_JAVASCRIPT}
kept = Array.new()
while True: kept.push(Array.new(10**6).fill("x"))`,
    ends: /^(ran|died|late)$/,
  },
  {
    does: 'takes memory of JavaScript outside of its heap',
    program: `${IN_JAVASCRIPT}
Bytes = pyodide_js._module.HEAPU8.constructor
kept = []
for _ in range(4_000): kept.append(Bytes.new(2**26).fill(1))
print("got:", len(kept))`,
    ends: /^(ran|died|late)$/,
  },
  {
    does: 'fills its file system',
    program: 'f = open("/tmp/full", "wb")\nwhile True: f.write(b"x" * 10**7)',
    ends: /^(ran|died|late)$/,
  },
  { does: 'prints without an end', program: 'while True: print("x" * 10_000)', ends: /^(died|late)$/ },
  {
    does: 'prints without an end on both streams',
    program: 'import sys\nwhile True:\n    print("x" * 10_000)\n    print("y" * 10_000, file=sys.stderr)',
    ends: /^(died|late)$/,
  },
  {
    does: 'prints bytes one by one',
    program: 'import os\nwhile True: os.write(1, b"x")',
    ends: /^(died|late)$/,
  },
  { does: 'computes without an end', program: 'while True: pass', ends: /^late$/ },
  {
    does: 'catches everything without an end',
    program: 'while True:\n    try:\n        while True: pass\n    except BaseException: pass',
    ends: /^late$/,
  },
  { does: 'computes without an end in C', program: 'sum(iter(int, 1))', ends: /^late$/ },
  { does: 'reckons a power without an end', program: 'print(len(str(10 ** 10 ** 8)))', ends: /^(ran|late|died)$/ },
  { does: 'reckons a number of endless size', program: 'x = 9\nwhile True: x = x * x', ends: /^(ran|late|died)$/ },
  {
    does: 'has a pattern backtrack',
    program: 'import re\nre.match(r"(a+)+$", "a" * 40 + "b")',
    ends: /^late$/,
  },
  { does: 'sleeps for ever', program: 'import time\ntime.sleep(10**6)', ends: /^late$/ },
  {
    does: 'waits for input for ever',
    program: 'while True:\n    try: input()\n    except EOFError: pass',
    ends: /^late$/,
  },
  { does: 'recurses without an end', program: 'def f(): f()\nf()', says: /RecursionError/ },
  {
    does: 'recurses without an end, and without Python’s limit',
    program: 'import sys\nsys.setrecursionlimit(10**9)\ndef f(): return [f()]\nf()',
  },
  {
    does: 'recurses in C',
    program: 'x = []\nfor _ in range(10**6): x = [x]\nprint(len(repr(x)))\nimport json\njson.dumps(x)',
  },
  { does: 'nests brackets for the compiler', program: 'eval("(" * 10**5 + ")" * 10**5)' },
  { does: 'gives the compiler an endless expression', program: 'eval("-" * 10**6 + "1")' },
  { does: 'marshals nonsense', program: 'import marshal\nexec(marshal.loads(b"\\xe3" + b"\\xff" * 100))' },
  {
    does: 'runs code that no compiler made',
    program: 'def f(): pass\nf.__code__ = f.__code__.replace(co_code=b"\\xff\\xff" * 50, co_stacksize=1)\nf()',
  },

  { does: 'exits', program: 'import sys\nprint("here")\nsys.exit(0)', ends: /^ran$/, says: /^here$/m },
  { does: 'exits at once', inputs: ['1', '2'], program: 'import os\nos._exit(0)', ends: /^ran$/ },
  { does: 'aborts', inputs: ['1', '2'], program: 'import os\nos.abort()', ends: /^ran$/ },
  { does: 'crashes', inputs: ['1', '2'], program: 'import ctypes\nctypes.string_at(2**32 - 8, 8)' },
  { does: 'kills itself', inputs: ['1', '2'], program: 'import os, signal\nos.kill(os.getpid(), signal.SIGKILL)' },
  { does: 'kills whoever started it', program: 'import os\nos.kill(os.getppid(), 9)\nos.killpg(0, 9)\nos.kill(-1, 9)' },
  {
    does: 'handles signals',
    program:
      'import signal\nfor number in range(1, 32):\n    try: signal.signal(number, lambda *_: None)\n    except (OSError, ValueError): pass\nwhile True: pass',
    ends: /^late$/,
  },
  {
    does: 'sets an alarm',
    program:
      'import signal, time\nsignal.signal(signal.SIGALRM, lambda *_: print("got: alarm"))\nsignal.alarm(1)\nsignal.setitimer(signal.ITIMER_REAL, 0.1, 0.1)\ntime.sleep(1.5)',
  },
  {
    does: 'leaves work for later',
    inputs: ['1', '2'],
    program: `
import asyncio, time
async def later():
    print("got: later")
    while True: pass
asyncio.ensure_future(later())
asyncio.get_event_loop().call_later(0.01, lambda: print("got: a timer"))
time.sleep(0.1)
print(input())`,
    ends: /^ran$/,
    says: /^[12]$/m,
  },
  {
    does: 'prints when it has ended',
    inputs: ['1', '2'],
    program: 'import atexit\natexit.register(lambda: print("at the end of", number))\nnumber = input()',
    ends: /^ran$/,
    says: /^at the end of [12]$/m,
  },
  {
    does: 'never lets its end come',
    program: 'import atexit\n@atexit.register\ndef stay():\n    while True: pass',
    ends: /^late$/,
  },
  {
    does: 'closes its streams',
    inputs: ['1', '2'],
    program: 'import sys, os\nprint(input())\nsys.stdout.close()\nsys.stdin.close()\nos.close(2)',
    ends: /^ran$/,
    says: /^[12]$/m,
  },
  {
    does: 'replaces its streams',
    inputs: ['1', '2'],
    program: 'import sys, io\nn = input()\nprint(n)\nsys.stdout = sys.stderr = sys.stdin = io.StringIO("3")',
    ends: /^ran$/,
    says: /^[12]$/m,
  },
  {
    does: 'replaces what is built in',
    inputs: ['1', '2'],
    program:
      'import builtins\nn = input()\nbuiltins.open("/dev/stdout", "w").write(n + "\\n")\nbuiltins.input = lambda: "3"\nbuiltins.print = builtins.exec = builtins.compile = None',
    ends: /^ran$/,
    says: /^[12]$/m,
  },
  {
    does: 'remembers the input before',
    inputs: ['1', '2'],
    program: 'import __main__\nif hasattr(__main__, "before"): print("got:", __main__.before)\nbefore = input()',
    ends: /^ran$/,
  },
  {
    does: 'looks for what is expected of it',
    inputs: ['1', '2'],
    program: `
import ctypes, re, sys
frame = sys._getframe()
while frame:
    print(frame.f_code.co_name)
    frame = frame.f_back
found = re.search(rb"the[ ]secret.*", ctypes.string_at(1024, 2**24))
if found: print("got:", found[0][:100])
print("looked")`,
    ends: /^ran$/,
    says: /looked/,
  },
  {
    does: 'prints what is no text',
    program:
      'import sys\nsys.stdout.buffer.write(bytes(range(256)) * 10)\nsys.stdout.flush()\nprint("\\0\\x1b[2J\\u202e\\ufffe")',
    ends: /^ran$/,
  },
  { does: 'prints half of a character', program: 'print("\\ud800")', ends: /^ran$/, says: /UnicodeEncodeError/ },
  { does: 'has a name with half of a character', program: 'raise Exception("\\ud800" * 10)', ends: /^ran$/ },
  { does: 'is no program', program: '\0\ud800\u2028{{{', ends: /^ran$/ },
  { does: 'is nothing', program: '', ends: /^ran$/ },
  { does: 'is long', program: 'x = 1\n'.repeat(150_000), ends: /^(ran|late)$/ },
  {
    does: 'throws something that cannot be shown',
    program: 'class E(BaseException):\n    def __str__(self): raise self\n    __repr__ = __str__\nraise E()',
    ends: /^ran$/,
  },
  {
    does: 'traces whatever runs',
    program:
      'import sys\ndef trace(*_):\n    raise KeyboardInterrupt\nsys.settrace(trace)\nsys.setprofile(trace)\nprint(1)',
  },
];

/** @param places what the braces stand for */
export function hostilePrograms(places: Record<'secret' | 'folder' | 'port', string>): HostileProgram[] {
  const filled = (program: string) =>
    program.replace(/\{(secret|folder|port)\}/g, (_, place: keyof typeof places) => places[place]);
  return PROGRAMS.map((each) => ({ ...each, program: filled(each.program) }));
}

export const HOSTILE_DEEDS: readonly string[] = PROGRAMS.map(({ does }) => does);
