/** What an attack has to work with. */
export interface Scene {
  /** A web server on 127.0.0.1, which takes web sockets, too. */
  port: number
  /** A folder outside the workspace with a file `secret.txt`; nothing may be written there. */
  folder: string
  /** A module with a native part, and a variable of the parent's environment. */
  addon: string
  variable: string
}

/** Gets a module of Node in the way that is quickest. */
const node = (name: string) => `process.getBuiltinModule('${name}')`
const connected = (socket: string) =>
  `await new Promise((done, fail) => { const s = ${socket}; s.on('error', fail).on('connect', done) })`

/**
 * Ways out of a cell: the body of an async function that is given `at`, a `Scene`, and throws where the way is shut. All
 * but `ONCE` get out of a trusted cell.
 */
export const ATTACKS: Record<string, string> = {
  // the network
  fetch: 'await fetch("http://127.0.0.1:" + at.port)',
  'a web socket':
    'await new Promise((done, fail) => { const s = new WebSocket("ws://127.0.0.1:" + at.port); s.onopen = done; s.onerror = fail })',
  http: `await new Promise((done, fail) => ${node('http')}.get({ port: at.port }, done).on('error', fail))`,
  'a connection': connected(`${node('net')}.connect(at.port, '127.0.0.1')`),
  'a connection by the class of stdout':
    'await new Promise((done, fail) => { const Socket = Object.getPrototypeOf(process.stdout).constructor; new Socket().on("error", fail).on("connect", done).connect(at.port, "127.0.0.1") })',
  'a server': `await new Promise((done, fail) => ${node('net')}.createServer().on('error', fail).listen(0, done))`,
  'a socket file': `await new Promise((done, fail) => ${node('net')}.createServer().on('error', fail).listen(at.folder + '/socket', done))`,
  dns: `await ${node('dns')}.promises.lookup('localhost')`,
  datagrams: `await new Promise((done, fail) => { const s = ${node('dgram')}.createSocket('udp4').on('error', fail); s.send('x', at.port, '127.0.0.1', (error) => { s.close(); error ? fail(error) : done() }) })`,
  // modules
  'a module of Node': node('os'),
  'import() of a function': 'await Function("return import(\'node:os\')")()',
  'import() of text': 'await Function("return import(\'data:text/javascript,1\')")()',
  'import() of a file': 'await Function("file", "return import(file)")(at.folder + "/module.mjs")',
  'require of a module': `${node('module')}.createRequire(at.folder + '/x.js')('os')`,
  'a binding': 'process.binding("fs")',
  'constructor.constructor': '(() => {}).constructor.constructor("return process")().getBuiltinModule("os")',
  'a native addon': 'process.dlopen({ exports: {} }, at.addon)',
  // files
  'to read a file': `${node('fs')}.readFileSync(at.folder + '/secret.txt')`,
  'to read a file later': `await ${node('fs/promises')}.readFile(at.folder + '/secret.txt')`,
  'to read a file as a blob': `await (await ${node('fs')}.openAsBlob(at.folder + '/secret.txt')).text()`,
  'to list a folder': `${node('fs')}.readdirSync(at.folder)`,
  'to write a file': `${node('fs')}.writeFileSync(at.folder + '/written', '')`,
  'to load an environment': 'process.loadEnvFile(at.folder + "/secret.txt")',
  SQLite: `new (${node('node:sqlite')}.DatabaseSync)(at.folder + '/database')`,
  'SQLite that attaches': `new (${node('node:sqlite')}.DatabaseSync)(':memory:').exec(\`attach '\${at.folder}/attached' as a; create table a.t(c)\`)`,
  'a report': 'process.report.writeReport(at.folder + "/report")',
  'a report that is read': 'process.report.getReport()',
  'a snapshot of the heap': `${node('v8')}.writeHeapSnapshot(at.folder + '/heap')`,
  WASI: `new (${node('wasi')}.WASI)({ version: 'preview1', preopens: { '/': at.folder } })`,
  'another folder': 'const old = process.cwd(); process.chdir(at.folder); process.chdir(old)',
  // processes and threads
  'a program': `${node('child_process')}.execFileSync(process.execPath, ['--version'])`,
  'a fork': `${node('child_process')}.fork(at.folder + '/module.mjs').kill()`,
  'a signal to the parent': 'process.kill(process.ppid, 0)',
  'a signal to the parent, below': 'process._kill(process.ppid, 0)',
  'the priority of the parent': `${node('os')}.setPriority(process.ppid, ${node('os')}.getPriority(process.ppid))`,
  'a thread': `await new (${node('worker_threads')}.Worker)('', { eval: true }).terminate()`,
  'hooks of modules': `${node('module')}.registerHooks({})`,
  'flags of V8': `${node('v8')}.setFlagsFromString('--expose-gc')`,
  'a mask of files': 'process.umask(process.umask())',
  // what is around it
  'a variable of the parent': 'if (!(at.variable in process.env)) throw new Error("not there")',
  'rights that it gives itself':
    'if (process.permission) process.permission.has = () => true; process.getBuiltinModule("fs").readFileSync(at.folder + "/secret.txt")',
  'functions of Node on the stack':
    'const { get } = Object.getOwnPropertyDescriptor(process, "stdout"); if (!get || !process.getBuiltinModule("os")) throw new Error()',
  // what ends or holds the process that tries it, or its parent, where it is not shut
  'to become another program': 'process.execve("/bin/true", ["true"], {})',
  'to end': 'process.exit(0)',
  'to break down': 'process.abort()',
  'to debug the parent': 'process._debugProcess(process.ppid)',
  'to debug itself': `${node('inspector')}.open(0)`,
  'a session with itself': `const s = new (${node('inspector')}.Session)(); s.connect(); s.disconnect(); throw new Error()`,
}

/** Those that are not tried where they would succeed. */
export const ONCE = [
  ...['to become another program', 'to end', 'to break down', 'to debug the parent', 'to debug itself'],
  ...['a session with itself', 'functions of Node on the stack'],
]

/** Those that Node's permissions know nothing of: only the doors are shut. */
export const BY_DOORS = [
  ...[
    'a module of Node',
    'import() of a function',
    'import() of text',
    'require of a module',
    'constructor.constructor',
  ],
  ...['a signal to the parent', 'a signal to the parent, below', 'the priority of the parent', 'flags of V8'],
  ...['a mask of files', 'hooks of modules', 'a report that is read'],
]

/** A notebook whose cell tries some attacks and prints what came of them, in one line of JSON. */
export function attacking(names: string[], at: Scene): string {
  return `// %% attack\n${scriptOf(names, at)}`
}

/** The same as a script. */
export function scriptOf(names: string[], at: Scene): string {
  const tries = names.map((name) => `  ${JSON.stringify(name)}: async () => { ${ATTACKS[name]} },`)
  return `const at = ${JSON.stringify(at)}
const tries = {
${tries.join('\n')}
}
const found = {}
for (const [name, attempt] of Object.entries(tries)) {
  found[name] = await attempt().then(() => 'out', (error) => 'shut: ' + (error.message ?? error.type))
}
console.log(JSON.stringify(found))
`
}
