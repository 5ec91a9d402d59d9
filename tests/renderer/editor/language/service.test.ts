import { describe, expect, it } from 'vitest'
import { edited } from '../../../../renderer/editor/language/edits.ts'
import type { Rename } from '../../../../renderer/editor/language/protocol.ts'
import { createLanguage } from '../../../../renderer/editor/language/service/index.ts'

const DECLARATIONS = {
  '/globals.d.ts': 'declare const console: { log(...values: unknown[]): void }',
  '/node_modules/mixlab/index.d.ts': `
    export { compare } from './study/compare.ts'
    /** Mixes. */
    export declare const mixer: () => object
    export interface Block { run(): void }`,
  '/node_modules/mixlab/study/compare.d.ts': `
    export interface Spec {
      /** Optimizer steps. */
      steps: number; batch?: number; variants?: Record<string, unknown> }
    export interface Study { readonly name: string; readonly spec: Spec }
    /** Defines a study. */
    export declare function compare(name: string, spec: Spec): Study`,
}

const language = createLanguage(DECLARATIONS)

/** Shows cells by key to the language; '|' in one of them is the caret. */
function open(cells: Record<string, string>) {
  const entries = Object.entries(cells)
  const at = entries.find(([, text]) => text.includes('|')) ?? ['', '|']
  const texts = Object.fromEntries(entries.map(([key, text]) => [key, text.replace('|', '')]))
  language.setCells(
    Object.keys(texts),
    Object.entries(texts).map(([key, source]) => ({ key, source })),
  )
  return { texts, key: at[0], offset: at[1].indexOf('|') }
}

const names = (key: string, offset: number) => language.complete(key, offset).map(({ name }) => name)

const messages = (key: string) => language.problems(key).map(({ message }) => message)

/** The texts after a rename; the refusal if there is one. */
function applied(texts: Record<string, string>, result: Rename) {
  if ('refused' in result) return result.refused
  const changed = { ...texts }
  for (const { at, text } of result.edits.toSorted((a, b) => b.at.start - a.at.start)) {
    const before = changed[at.key] ?? ''
    changed[at.key] = before.slice(0, at.start) + text + before.slice(at.end)
  }
  return changed
}

const STUDY = `import { compare } from 'mixlab'
export const tiny = compare('tiny', { steps: 6 })`

describe('completion', () => {
  it('knows the members of a value of another cell', () => {
    const { key, offset } = open({ a: STUDY, b: 'tiny.|' })
    expect(names(key, offset)).toEqual(['name', 'spec'])
  })

  it('knows the options of a function', () => {
    const { key, offset } = open({ a: "import { compare } from 'mixlab'\ncompare('x', { st| })" })
    expect(names(key, offset)).toEqual(['steps', 'batch', 'variants'])
    const description = language.describe(key, offset, { name: 'steps', from: null, module: null })
    expect(description).toEqual({ type: '(property) Spec.steps: number', documentation: 'Optimizer steps.' })
  })

  it('offers names that only other cells have, also imports and types, and says what they are', () => {
    const { key, offset } = open({ a: STUDY, b: 'type Width = number\nlet local = 1', c: 'ti|' })
    expect(names(key, offset)).toEqual(expect.arrayContaining(['tiny', 'compare', 'Width', 'local']))
    expect(names(key, offset).filter((name) => name === 'tiny')).toHaveLength(1)
    expect(language.describe(key, offset, { name: 'tiny', from: 'a', module: null })?.type).toBe('const tiny: Study')
  })

  it('still knows other cells where the text is unfinished', () => {
    const { key, offset } = open({ a: STUDY, b: "const s = { x: [tiny.|\nconst later = '" })
    expect(names(key, offset)).toContain('spec')
    expect(names('a', STUDY.length)).toContain('s')
  })

  it('has nothing for a cell that is not there', () => {
    open({ a: STUDY })
    expect(language.complete('gone', 0)).toEqual([])
    expect(language.hover('gone', 0)).toBeNull()
    expect(language.problems('gone')).toEqual([])
  })
})

describe('names of modules', () => {
  const imported = (source: string, name: string, module = 'mixlab') => {
    open({ a: source })
    return edited(source, language.importing('a', { name, from: null, module }))
  }

  it('are offered with the module to import them from, and described', () => {
    const { key, offset } = open({ a: 'mi|' })
    const found = language.complete(key, offset).find(({ name }) => name === 'mixer')
    expect(found).toMatchObject({ module: 'mixlab', kind: 'const' })
    expect(found && language.describe(key, offset, found)).toEqual({
      type: 'const mixer: () => object',
      documentation: 'Mixes.',
    })
  })

  it.each(['const a = mi|', 'f(mi|)', 'const b = { c: mi| }', '(x) => {\n  x = mi|\n}'])(
    'are offered in %s',
    (text) => {
      const { key, offset } = open({ a: text, other: STUDY })
      expect(names(key, offset)).toEqual(expect.arrayContaining(['mixer', 'tiny']))
    },
  )

  it.each(["import { | } from 'mixlab'", "'mi|'", 'tiny.|'])('are not offered in %s', (text) => {
    const { key, offset } = open({ a: text, other: STUDY })
    expect(language.complete(key, offset).filter(({ module }) => module !== null)).toEqual([])
  })

  it('are not offered a second time where the cell or another has them', () => {
    const { key, offset } = open({ a: STUDY, b: "import { mixer } from 'mixlab'\n|" })
    const found = language.complete(key, offset).filter(({ name }) => name === 'mixer' || name === 'compare')
    expect(found.map(({ name, module }) => [name, module])).toEqual([
      ['mixer', null],
      ['compare', null],
    ])
  })

  it('join the imports that a cell has, or get a line', () => {
    expect(imported('', 'mixer')).toBe("import { mixer } from 'mixlab'\n")
    expect(imported('mixer', 'mixer')).toBe("import { mixer } from 'mixlab'\n\nmixer")
    expect(imported("import { compare } from 'mixlab'\nmixer", 'mixer')).toBe(
      "import { compare, mixer } from 'mixlab'\nmixer",
    )
    expect(imported("import {\n  a,\n  b,\n} from 'mixlab'\n", 'mixer')).toBe(
      "import {\n  a,\n  b,\n  mixer,\n} from 'mixlab'\n",
    )
    expect(imported("import type { Study } from 'mixlab'\nx", 'Block')).toBe(
      "import type { Study } from 'mixlab'\nimport { type Block } from 'mixlab'\nx",
    )
    expect(imported('tf', 'tf', '@tensorflow/tfjs')).toBe("import * as tf from '@tensorflow/tfjs'\n\ntf")
  })

  it('are proposed where they are not known', () => {
    const source = "compare('x', { steps: 1 })\nmixer()\nmixre()"
    open({ a: source })
    const at = (name: string) => language.fixes('a', source.indexOf(name), source.indexOf(name) + 1)
    const all = "Import all of 'compare', 'mixer'"
    expect(at('compare').map(({ title }) => title)).toEqual(["Import 'compare' from 'mixlab'", all])
    const [meant] = at('mixre')
    expect(meant?.title).toBe("Change to 'mixer'")
    expect(edited(source, meant?.edits ?? [])).toContain("import { mixer } from 'mixlab'\n\ncompare")
    expect(edited(source, meant?.edits ?? [])).toMatch(/mixer\(\)\nmixer\(\)$/)
    const importAll = at('compare').at(-1)
    expect(edited(source, importAll?.edits ?? [])).toMatch(/^import { compare, mixer } from 'mixlab'/)
    expect(at("'x'")).toEqual([])
    expect(language.fixes('gone', 0, 1)).toEqual([])
  })
})

it('describes a name of another cell, with its doc comment', () => {
  const { key, offset } = open({ a: '/** Four. */\nexport const width = 4', b: 'wid|th' })
  expect(language.hover(key, offset)).toEqual({
    at: { key: 'b', start: 0, end: 5 },
    type: 'const width: 4',
    documentation: 'Four.',
  })
})

it('shows the signature of a call', () => {
  const { key, offset } = open({ a: "import { compare } from 'mixlab'\ncompare('x', |)" })
  const help = language.signature(key, offset)
  expect(help).toMatchObject({ signature: 0, parameter: 1 })
  expect(help?.signatures[0]).toMatchObject({
    label: 'compare(name: string, spec: Spec): Study',
    documentation: 'Defines a study.',
  })
})

describe('the definition', () => {
  it.each(['tin|y', '({ tin|y })', 'console.log(tin|y)'])('of a name of another cell: %s', (text) => {
    const { key, offset } = open({ a: STUDY, b: text })
    const start = STUDY.indexOf('tiny')
    expect(language.definition(key, offset)).toEqual([{ key: 'a', start, end: start + 4 }])
  })

  it('of a name of a module, in its declarations', () => {
    const { key, offset } = open({ a: "import { compare } from 'mixlab'\ncomp|are" })
    const [found] = language.definition(key, offset)
    expect(found).toMatchObject({ path: '/node_modules/mixlab/study/compare.d.ts' })
    if (!found || !('path' in found)) throw new Error('not in a file')
    expect(found.text.slice(found.start, found.end)).toBe('compare')
  })
})

describe('problems', () => {
  it('are type errors, also across cells', () => {
    open({ a: 'export const width = 4', b: 'width.length', c: STUDY, d: 'tiny.name.length' })
    expect(messages('a')).toEqual([])
    expect(messages('b')).toEqual(["Property 'length' does not exist on type '4'."])
    expect(language.problems('b')[0]).toMatchObject({ at: { key: 'b', start: 6, end: 12 }, severity: 'error' })
    expect(messages('d')).toEqual([])
  })

  it('follow a change in another cell', () => {
    open({ a: "export const width = '4'", b: 'width.length' })
    expect(messages('b')).toEqual([])
    language.setCells(['a', 'b'], [{ key: 'a', source: 'export const width = 4' }])
    expect(messages('b')).toHaveLength(1)
    language.setCells(['b'], [])
    expect(messages('b')).toEqual(["Cannot find name 'width'."])
  })

  it.each([
    ['await at the top', 'const value = await Promise.resolve(1)\nvalue.toFixed()'],
    ['a last expression', "({ steps: 6 })\n'shown'"],
    ['a function without types', 'const double = (x) => x * 2\ndouble(2)'],
    ['a var of an inner block', 'for (var i = 0; i < 2; i++) {}\ni'],
    ['the same import in two cells', "import { mixer } from 'mixlab'\nmixer()"],
    ['a type of another cell', 'const wide: Wide = 4'],
  ])('do not include %s', (_, text) => {
    open({ a: text, b: text.startsWith('import') ? text : 'export type Wide = number' })
    expect(messages('a')).toEqual([])
  })

  it('leave syntax errors to the analysis of the notebook', () => {
    open({ a: 'const x = (4 +' })
    expect(messages('a')).toEqual([])
  })

  it('are the assignment to a name of another cell, and an unknown module', () => {
    open({ a: 'let count = 1', b: 'count = 2', c: "import { x } from 'lodash'" })
    expect(messages('b')).toEqual(["Cannot assign to 'count' because it is an import."])
    expect(messages('c')[0]).toContain("Cannot find module 'lodash'")
  })
})

describe('rename', () => {
  const renameAt = (cells: Record<string, string>, name: string) => {
    const { texts, key, offset } = open(cells)
    return applied(texts, language.rename(key, offset, name))
  }

  it('changes a name in all cells that mean it, from where it is defined and from where it is used', () => {
    const uses = { b: 'width + width', c: 'const width = 1', d: '(width) => width', e: '// width' }
    const wanted = { b: 'dim + dim', c: 'const width = 1', d: '(width) => width', e: '// width' }
    expect(renameAt({ a: 'const wid|th = 4\nwidth', ...uses }, 'dim')).toEqual({ a: 'const dim = 4\ndim', ...wanted })
    expect(renameAt({ a: 'export const width = 4', ...uses, b: 'width + wi|dth' }, 'dim')).toEqual({
      ...wanted,
      a: 'export const dim = 4',
    })
  })

  it('keeps the names of properties', () => {
    expect(renameAt({ a: 'const gat|ed = 1', b: 'const variants = { gated }\nvariants.gated' }, 'mine')).toEqual({
      a: 'const mine = 1',
      b: 'const variants = { gated: mine }\nvariants.gated',
    })
  })

  it('changes a property where it is used in other cells, and what is local only in its cell', () => {
    expect(renameAt({ a: 'const size = { di|m: 4 }', b: 'size.dim' }, 'width')).toEqual({
      a: 'const size = { width: 4 }',
      b: 'size.width',
    })
    expect(renameAt({ a: 'const f = (x) => x|', b: 'const x = 1' }, 'y')).toEqual({
      a: 'const f = (y) => y',
      b: 'const x = 1',
    })
  })

  it.each([
    ['a b', "'a b' is not a name"],
    ['class', "'class' is not a name"],
    ['taken', "'taken' is defined in a cell already"],
  ])('refuses %s', (name, reason) => {
    expect(renameAt({ a: 'const wid|th = 4', b: 'const taken = 1' }, name)).toBe(reason)
  })

  it('refuses what no cell defines', () => {
    const study = (text: string) => ({ a: `import { compare } from 'mixlab'\n${text}` })
    expect(renameAt(study("compare('x', { ste|ps: 1 })"), 'y')).toBe("'steps' is not defined in this notebook")
    expect(renameAt({ a: 'cons|ole' }, 'y')).toMatch(/not defined in this notebook|only a name/)
    expect(renameAt({ a: '1 +| 2' }, 'y')).toBe('only a name that a cell defines can be renamed')
  })
})

describe('texts that nobody would write', () => {
  const DEEP = {
    brackets: '['.repeat(20_000),
    closed: `${'['.repeat(2_000)}${']'.repeat(2_000)}`,
    objects: '{a:'.repeat(5_000),
    types: `type A = ${'Array<'.repeat(3_000)}`,
    arrows: '<T>(a = '.repeat(28),
    functions: '()=>{'.repeat(3_000),
    templates: '`${'.repeat(5_000),
    unary: '!'.repeat(20_000),
    members: `a${'.a()'.repeat(5_000)}`,
    sums: `const a = ${'1+'.repeat(20_000)}1`,
    ifs: 'if(a){}else '.repeat(5_000),
    ternaries: 'a?b:'.repeat(5_000),
    generics: `type B<T> = T extends 0 ? ${'T extends 0 ? '.repeat(2_000)}`,
    recursive: 'type C<T> = { a: C<T[]> }\ndeclare const c: C<0>\nconst d: C<1> = c',
    long: 'a = 1\n'.repeat(100_000),
    strange: '\0\ud800\u2028\u{1f9e0}\u202e\u200b',
  }

  it.each(Object.entries(DEEP))('%s: nothing is thrown, and other cells keep what they have', (key, text) => {
    const cells = { [key]: text, other: 'const known = 1\nknown.toF' }
    open(cells)
    for (const offset of [0, 3, text.length]) {
      language.complete(key, offset)
      language.hover(key, offset)
      language.signature(key, offset)
      language.definition(key, offset)
      language.renamed(key, offset)
      language.rename(key, offset, 'name')
    }
    language.fixes(key, 0, text.length)
    language.problems(key)
    expect(names('other', cells.other?.length ?? 0)).toContain('toFixed')
  })

  it('says of a cell that is too deeply nested that it has no completions, until it is not any more', () => {
    open({ deep: '['.repeat(20_000) })
    expect(messages('deep')).toEqual(['too long or too deeply nested for completions and types'])
    open({ deep: 'const deep: string = 1' })
    expect(messages('deep')).toEqual(["Type 'number' is not assignable to type 'string'."])
  })
})
