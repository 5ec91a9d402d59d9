import * as tf from '@tensorflow/tfjs-core'
import '@tensorflow/tfjs-backend-cpu'
import { describe, expect, it } from 'vitest'
import * as mixlab from '../../../../engine/index.ts'
import { identityOf } from '../../../../engine/notebook/closures/identity.ts'
import { evaluateAll } from '../../../../engine/notebook/evaluate.ts'

const silent = () => {}
const console = { debug: silent, log: silent, info: silent, warn: silent, error: silent }

/** The identity of `f`, which some code defines, a cell for each part between lines of three dashes. */
async function identity(code: string, more: Record<string, unknown> = {}): Promise<string | null> {
  const notebook = code
    .split('\n---\n')
    .map((source) => `// %%\n${source}`)
    .join('\n')
  const modules = { mixlab: { ...mixlab, ...more }, '@tensorflow/tfjs': tf }
  const values = await evaluateAll(notebook, modules, { console })
  const identity = await identityOf(values.get('f')?.value)
  tf.dispose([...values.values()].flatMap(({ value }) => (value instanceof tf.Tensor ? [value] : [])))
  return identity
}

describe('one identity', () => {
  const pairs: [what: string, a: string, b: string][] = [
    ['names of variables', 'const f = (x, k) => x * k', 'const f = (y, factor) => y * factor'],
    ['names of what is captured', 'const k = 3\nconst f = (x) => x * k', 'const n = 3\nconst f = (x) => x * n'],
    [
      'its own name',
      'function f(n) { return n ? f(n - 1) : 0 }',
      'const f = function g(n) { return n ? g(n - 1) : 0 }',
    ],
    ['shorthands', 'const k = 3; const f = () => ({ k })', 'const n = 3; const f = () => ({ k: n })'],
    ['destructuring', 'const f = ({ a, b: [c = 1] }) => a + c', 'const f = ({ a: z, b: [y = 1] }) => z + y'],
    ['quotes, commas and brackets', `const f = (x) => [x, 'a']`, 'const f = x => ([(x), "a",]);'],
    ['comments and semicolons', 'const f = () => { return 1 }', 'const f = () => { /* one */ return 1;; } // done'],
    ['types', 'const f = (x) => x', 'const f = (x: number): number => x as number'],
    ['numbers, however written', 'const f = () => 1000', 'const f = () => 1e3'],
    ['what is not used', 'const f = () => 1', "import { gmlp } from 'mixlab'\nconst other = 7\nconst f = () => 1"],
    ['another cell', 'const k = 2; const f = () => k', 'const k = 2\n---\nconst f = () => k'],
    [
      'helpers by another name',
      'const h = (x) => x + 1; const f = (x) => h(x)',
      'const g = (y) => y + 1; const f = (x) => g(x)',
    ],
    [
      'classes',
      'class A { go(x) { return x } }\nconst f = () => new A()',
      'class B { go(y) { return y } }\nconst f = () => new B()',
    ],
    [
      'imports by another name',
      "import { gelu } from 'mixlab'\nconst f = (x) => gelu(x)",
      "import { gelu as g } from 'mixlab'\nconst f = (x) => g(x)",
    ],
    ['print', 'const f = () => console.log(1)', 'const f = () => console.log(1)\n---\nconst other = 1'],
  ]
  it.each(pairs)('whatever the %s', async (_, a, b) => {
    const first = await identity(a)
    expect(first).not.toBeNull()
    expect(await identity(b)).toBe(first)
  })

  it('whatever else a module exports that is captured as a whole', async () => {
    const code = "import * as all from 'mixlab'\nconst f = (x) => all.gelu(x)"
    expect(await identity(code, { later: () => 1 })).toBe(await identity(code))
  })
})

describe('another identity', () => {
  const factory = (value: string, use = 'k') => `const make = (k) => (x) => ${use}\nconst f = make(${value})`
  const pairs: [what: string, a: string, b: string][] = [
    ['number', factory('1'), factory('2')],
    ['sign of zero', factory('0'), factory('-0')],
    ['type', factory('1'), factory("'1'")],
    ['part of an object', factory('{ a: [1, { b: 2 }] }', 'k.a'), factory('{ a: [1, { b: 3 }] }', 'k.a')],
    ['order', factory('{ a: 1, b: 2 }'), factory('{ b: 2, a: 1 }')],
    ['entry of a map', factory('new Map([[1, 2]])'), factory('new Map([[1, 3]])')],
    ['list of numbers', factory('Float32Array.of(1, 2)'), factory('Float32Array.of(1, 3)')],
    ['captured function', factory('(y) => y'), factory('(y) => -y')],
    ['function of a function', factory('((n) => () => n)(1)'), factory('((n) => () => n)(2)')],
    ['class', factory('class { go() { return 1 } }'), factory('class { go() { return 2 } }')],
    [
      'member of a class',
      'class A { static k = 1 }\nconst f = () => A.k',
      'class A { static k = 2 }\nconst f = () => A.k',
    ],
    [
      'parent of a class',
      'class A { k = 1 }\nclass B extends A {}\nconst f = () => new B()',
      'class A { k = 2 }\nclass B extends A {}\nconst f = () => new B()',
    ],
    [
      'object of a class',
      'class A { constructor(k) { this.k = k } }\nconst a = new A(1)\nconst f = () => a',
      'class A { constructor(k) { this.k = k } }\nconst a = new A(2)\nconst f = () => a',
    ],
    [
      'this',
      'class A { constructor(k) { this.k = k; this.f = () => this.k } }\nconst { f } = new A(1)',
      'class A { constructor(k) { this.k = k; this.f = () => this.k } }\nconst { f } = new A(2)',
    ],
    [
      'method',
      'const o = { go() { return 1 } }\nconst f = () => o.go()',
      'const o = { go() { return 2 } }\nconst f = () => o.go()',
    ],
    [
      'method that captures',
      'const make = (k) => ({ go() { return k } })\nconst o = make(1)\nconst f = () => o.go()',
      'const make = (k) => ({ go() { return k } })\nconst o = make(2)\nconst f = () => o.go()',
    ],
    [
      'tensor',
      "import * as tf from '@tensorflow/tfjs'\nconst t = tf.tensor([1, 2])\nconst f = () => t",
      "import * as tf from '@tensorflow/tfjs'\nconst t = tf.tensor([1, 3])\nconst f = () => t",
    ],
    [
      'block',
      "import { gmlp } from 'mixlab'\nconst b = gmlp({ gate: 'additive' })\nconst f = () => b",
      "import { gmlp } from 'mixlab'\nconst b = gmlp({ gate: 'linear' })\nconst f = () => b",
    ],
    ['which of two names', 'const f = (a, b) => a - b', 'const f = (a, b) => b - a'],
    [
      'which of two classes',
      'const f = () => { class A { k = 1 }\nclass B { k = 2 }\nreturn A }',
      'const f = () => { class A { k = 1 }\nclass B { k = 2 }\nreturn B }',
    ],
    [
      'which of two shadowed',
      'const k = 1; const f = (x) => { { const k = 2; x += k } return k }',
      'const k = 1; const f = (x) => { const j = k; { const k = 2; x += k } { return k + 0 * j } }',
    ],
    ['global', 'const f = (x) => Math.min(x)', 'const f = (x) => Math.max(x)'],
    ['name of a property', 'const f = (x) => x.a', 'const f = (x) => x.b'],
    ['cell it depends on', 'const k = 1\n---\nconst f = () => k', 'const k = 2\n---\nconst f = () => k'],
    ['a number that changes', 'let k = 1\nconst f = () => k\nk = 2', 'let k = 1\nconst f = () => k\nk = 3'],
    ['text of a template', 'const f = (x) => `a`', 'const f = (x) => `b`'],
    ['pattern', 'const f = (x) => /a/.test(x)', 'const f = (x) => /a/i.test(x)'],
  ]
  it.each(pairs)('for another %s', async (_, a, b) => {
    const [first, second] = [await identity(a), await identity(b)]
    expect(first).not.toBeNull()
    expect(second).not.toBeNull()
    expect(first).not.toBe(second)
  })
})

describe('none', () => {
  it.each([
    ['a bound function', 'const f = ((x) => x).bind(null, 1)'],
    ['a private member', 'class A { #k = 1; go() { return this.#k } }\nconst a = new A()\nconst f = () => a'],
    ['a getter', 'const o = { get k() { return 1 } }\nconst f = () => o'],
    ['a generator that has begun', 'const g = (function* () { yield 1 })()\nconst f = () => g'],
    ['a promise', 'const p = Promise.resolve(1)\nconst f = () => p'],
    ['a function of the engine', "import { normal } from 'mixlab'\nconst n = normal(1)\nconst f = () => n"],
    ['eval', "const f = (x) => eval('x')"],
    ['what never got a value', 'let f\ntry { f = () => k; throw 1; const k = 2 } catch {}'],
    ['a symbol', 'const k = Symbol("k")\nconst f = () => k'],
  ])('for %s', async (_, code) => {
    expect(await identity(code)).toBeNull()
  })
})

describe('code that notes what it captures', () => {
  async function resultOf(code: string): Promise<unknown> {
    return (await evaluateAll(`// %%\n${code}`, { mixlab }, { console })).get('f')?.value
  }
  it.each([
    ['a class that is made at once', 'const f = new (class { k = 2 })().k', 2],
    ['and without brackets', 'const f = new class { k = 2 }().k', 2],
    ['a function called where it stands', 'const f = (function () { return 2 })()', 2],
    ['arrows of arrows', 'const f = ((a) => (b) => (c) => a + b + c)(1)(2)(3)', 6],
    ['a function before its text', 'const f = g()\nfunction g() { return 2 }', 2],
    ['a function of a block', 'let f\n{ f = g(); function g() { return 2 } }', 2],
    ['lines without semicolons', 'const a = 1\nconst g = x => x + a\nconst f = g(1)', 2],
    [
      'methods and this',
      'const o = { k: 2, go() { return this.k }, get own() { return this.k } }\nconst f = o.go() * o.own',
      4,
    ],
    [
      'super in methods',
      'const o = { __proto__: { go() { return 2 } }, go() { return super.go() } }\nconst f = o.go()',
      2,
    ],
    ['arguments', 'function g() { return (() => arguments[0])() }\nconst f = g(2)', 2],
    ['parents', 'class A extends (class { k = 2 }) {}\nconst f = new A().k', 2],
    [
      'names of functions',
      "const g = () => {}, h = { k: () => {} }, { l = () => {} } = {}\nconst f = [g.name, h.k.name].join(' ')",
      'g k',
    ],
    ['exports', 'export function g() { return 1 }\nexport class A {}\nexport const f = g() + 1', 2],
    ['tagged templates and spreads', `const t = (s, ...v) => v.length\nconst f = t\`a\${() => 1}b\${1}\``, 2],
    ['defaults of parameters', 'const g = (a = () => 2, b = a()) => b\nconst f = g()', 2],
    ['async functions and generators', 'const g = function* () { yield* [1, 1] }\nconst f = [...g()].length', 2],
  ])('does the same: %s', async (_, code, expected) => {
    expect(await resultOf(code)).toBe(expected)
  })
})
