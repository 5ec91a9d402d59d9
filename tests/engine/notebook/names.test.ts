import { describe, expect, it } from 'vitest'
import { namesOf } from '../../../engine/notebook/names.ts'
import { transpile } from '../../../engine/notebook/transpile.ts'

const read = (source: string) => namesOf(transpile(source, 'a').program)
const defines = (source: string) => read(source).definitions.toSorted().join(' ')
const uses = (source: string) => [...read(source).uses.keys()].toSorted().join(' ')

describe('definitions', () => {
  const cases: [string, string][] = [
    ['const a = 1; let b; var c', 'a b c'],
    ['const { a, x: b, y: { z: [c = 1, , ...d] }, ...e } = {}', 'a b c d e'],
    ['const [a, [b], c = d] = []', 'a b c'],
    ['function f() {} async function* g() {} class C {}', 'C f g'],
    ['export const a = 1; export function f() {} export class C {}', 'C a f'],
    ['const a = 1; export { a }', 'a'],
    ['for (var i = 0; ;) { var j } if (1) { var k } try { var l } catch { var m }', 'i j k l m'],
    ['{ let a; const b = 1; class C {} function f() {} } for (const c of []) {}', ''],
    ['function f() { var a }; const g = () => { var b }; class C { static { var c } m() { var d } }', 'C f g'],
    ['enum E { A }', 'E'],
    ['type T = 1; interface I {} declare const d: number', ''],
    ['a = 1; a.b = 2', ''],
  ]
  for (const [source, expected] of cases) it(`${source} -> ${expected}`, () => expect(defines(source)).toBe(expected))
})

describe('uses', () => {
  const cases: [string, string][] = [
    ['a.b.c(d[e], { f: g, h, [i]: j, k() {}, get l() { return m } })', 'a d e g h i j m'],
    ['const a = 1; a; b', 'b'],
    ['f(); function f() {} C; class C {} v; var v', ''],
    ['(a, { b, c: d = e }, [f = a], ...g) => a + b + d + f + g + h', 'e h'],
    ['function f(a = b) { var b; return a }', 'b'],
    ['function f(a, b = a) { return arguments.length + b }', ''],
    ['const f = function g() { return g }; g', 'g'],
    ['const D = class C extends B { static x = C; y = z; [w] = 1; #p = q; m() { return this.#p } }; C', 'B C q w z'],
    ['class C extends B { m() { return C } static { var s = t; s } } s', 'B s t'],
    ['{ let a; a } a', 'a'],
    ['{ function f() {} } f()', 'f'],
    ['() => { if (1) { var v } v; { let w } w }', 'w'],
    ['() => { f(); { var v } function f() { return v } }', ''],
    ['for (let i = a; i < b; i++) c(i); i', 'a b c i'],
    ['for (const [k, v] of m) k + v; k', 'k m'],
    ['for (const k in o) k; for (x of y) ;', 'o x y'],
    ['try { a } catch ({ message = b }) { message } message', 'a b message'],
    ['try {} catch (e) { let f = e; f } e', 'e'],
    ['switch (a) { case b: let c; default: c } c', 'a b c'],
    ['outer: for (;;) { continue outer; break outer }', ''],
    [`\`\${a} text \${\`\${b}\`}\`; tag\`x\${c}\``, 'a b c tag'],
    ['a += b; [c, d.e] = f; ({ g, h: i.j } = k); l++; delete m.n', 'a b c d f g i k l m'],
    ['typeof a; new B(); a?.b?.[c]; a ?? d; void 0', 'B a c d'],
    ['const { [a]: b, c = d } = e', 'a d e'],
    ['async () => { await a; for await (const b of c) b }; await d', 'a c d'],
    ["import x, * as y from 'm'; import { z, w as v } from 'n'; x + y + z + v + w", 'w'],
    ['await import(a)', 'a'],
    ['import.meta.b; function f() { new.target.c }', ''],
    ['let a: B = c as D<E>; function f<T>(x: T): x is U { return x }', 'c'],
    ['const a = (b) => { const c = b; return () => c + a + d }', 'd'],
    ['export const a = b; const c = 1; export { c }', 'b'],
    ['var f = (f) => f; ((x) => x)(x)', 'x'],
    ['({ async *a() {}, "b": 1, 2: c, set d(v) { v } })', 'c'],
  ]
  for (const [source, expected] of cases) it(`${source} -> ${expected}`, () => expect(uses(source)).toBe(expected))

  it('come with the offset of the first use', () => {
    expect(read('1\na; a').uses.get('a')).toBe(2)
  })
})

it('reads imports of all forms', () => {
  const { imports } = read(
    "import 'a'\nimport b, { c, d as e, default as f, 'g-h' as g } from 'm'\nimport * as i from 'n'",
  )
  expect(imports.map(({ module, bindings }) => [module, bindings])).toEqual([
    ['a', []],
    [
      'm',
      [
        { local: 'b', imported: 'default' },
        { local: 'c', imported: 'c' },
        { local: 'e', imported: 'd' },
        { local: 'f', imported: 'default' },
        { local: 'g', imported: 'g-h' },
      ],
    ],
    ['n', [{ local: 'i', imported: '*' }]],
  ])
})
