import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { LONG } from '../../long.ts'
import { freshFolder, mixlab } from './recorder.ts'

interface Written {
  variants?: string
  data?: string
  train?: string
  seeds?: string
  name?: string
  /** Further blocks, and further cells. */
  blocks?: string
  more?: string
}

/** A notebook with a tiny study of networks by name. */
const notebook = ({ variants = 'plain, normed', data = '', train = 'steps: 2', ...rest }: Written = {}) => `// %% block
import { add, block, compare, dense, gelu, image, layerNorm, shapes, tokenDense } from 'mixlab'
export const plain = block('plain', (x, { dim }) => add(x, dense(x, dim)))
export const normed = block('normed', (x, { dim }) => add(x, dense(layerNorm(x), dim)))
export const curved = block('curved', (x, { dim }) => add(x, gelu(dense(x, dim))))
export const mixed = block('mixed', (x) => add(x, tokenDense(x)))
${rest.blocks ?? ''}
// %% study
export const ${rest.name ?? 'one'} = compare('${rest.name ?? 'one'}', {
  task: image({ data: shapes({ size: 16, train: 32, test: 20, ${data} }) }),
  model: { patch: 8, dim: 4, depth: 1 },
  variants: { ${variants} },
  train: { batch: 8, ${train} },
  seeds: ${rest.seeds ?? '2'},
})
${rest.more ?? ''}`

interface Shown {
  study: string
  verdicts: { exploratory: string | null; interim: object | null; ledger?: { place: number; comparisons: number } }[]
}

/** What the last verdict of each study says of its plan and of its place in the ledger. */
async function shown(folder: string, written: Written = {}, words: string[] = []) {
  const path = join(folder, `${written.name ?? 'one'}.ts`)
  writeFileSync(path, notebook(written))
  const { out, err } = await mixlab(['run', path, '--json', '--workspace', folder, ...words])
  const studies = out.map((line) => JSON.parse(line) as Shown).filter(({ verdicts }) => verdicts)
  if (studies.length === 0) throw new Error(err.join('\n'))
  return studies.map(({ verdicts }) => {
    const { exploratory = null, interim = null, ledger } = verdicts.at(-1) ?? {}
    return { exploratory, interim: interim !== null, place: ledger && [ledger.place, ledger.comparisons] }
  })
}

const first = { exploratory: null, interim: false, place: [1, 1] }
const second = { exploratory: null, interim: false, place: [2, 2] }

const OTHERWISE: [what: string, written: Written, found: object][] = [
  ['the same study again', {}, first],
  ['the same study in another notebook', { name: 'copied' }, first],
  ['other names of variants', { variants: 'base: plain, better: normed' }, first],
  ['a step more', { train: 'steps: 3' }, second],
  ['other evaluations', { train: 'steps: 2, evalEvery: 2' }, second],
  ['another seed of the data', { data: 'seed: 3' }, second],
  ['another share for validation', { data: 'validation: 0.3' }, second],
  ['a fresh batch of seeds', { seeds: '[3, 4]' }, second],
  ['more seeds', { seeds: '3' }, { ...second, exploratory: 'planned with seeds 1, 2, shown with 1 to 3' }],
  ['another baseline alone', { variants: 'curved, normed' }, second],
  ['another variant', { variants: 'plain, mixed' }, second],
  [
    'other names of parameters',
    {
      variants: 'a, b',
      blocks: `export const a = block('a', (x, { dim }) => add(x, dense(x, dim, { name: 'one' })))
export const b = block('b', (x, { dim }) => add(x, dense(layerNorm(x), dim, { name: 'two' })))`,
    },
    second,
  ],
]

describe('the ledger of comparisons', () => {
  it.runIf(LONG)('marks or counts what is chosen after looking, and nothing else', async () => {
    const folder = freshFolder()
    expect(await shown(folder)).toEqual([first])
    for (const [what, written, found] of OTHERWISE) {
      const copy = freshFolder()
      cpSync(folder, copy, { recursive: true })
      expect(await shown(copy, written), what).toEqual([found])
      rmSync(copy, { recursive: true })
    }
  })

  it.runIf(LONG)('counts what was trained alone before the best of it is compared', async () => {
    const folder = freshFolder()
    for (const each of ['normed', 'curved', 'mixed']) await shown(folder, { variants: each, name: `${each}Alone` })
    expect(await shown(folder, { variants: 'plain, mixed' })).toEqual([{ ...first, place: [3, 3] }])
  })

  it('leaves studies of one run of a notebook as they are, whatever they share, and is interim while seeds are missing', async () => {
    const folder = freshFolder()
    const more = `// %% second
export const other = compare('other', { ...one.spec, variants: { plain, normed, curved } })`
    const both = [
      { ...first, place: [1, 2] },
      { ...first, place: [2, 2] },
    ]
    expect((await shown(folder, { more })).map(({ exploratory }) => exploratory)).toEqual([null, null])
    expect(await shown(folder, { more })).toEqual(both)
    const partly = await shown(folder, { variants: 'plain, mixed', seeds: '3', name: 'part' }, ['--seeds', '2'])
    expect(partly).toMatchObject([{ exploratory: null, interim: true }])
  })

  it('tells by mixlab plan what the next comparison needs, and begins a new family after one was closed', async () => {
    const folder = freshFolder()
    await shown(folder)
    const path = join(folder, 'next.ts')
    writeFileSync(path, notebook({ variants: 'plain, mixed' }))
    const plan = async () => (await mixlab(['plan', path, '--workspace', folder])).out.join('\n')
    expect(await plan()).toContain('in its family of 2 comparisons 8 seeds can show one, and 16 show an effect of 1 ')
    const list = async () => (await mixlab(['family', '--workspace', folder])).out.join('\n')
    expect(await list()).toMatch(/1 +1 +one +normed +\d{4}-\d\d-\d\d +8/)
    expect((await mixlab(['family', 'close', '9', '--workspace', folder])).err[0]).toContain('no such family')
    expect((await mixlab(['family', 'close', '1', '--workspace', folder])).code).toBe(0)
    expect(await list()).toContain('closed')
    expect(await plan()).not.toContain('in its family')
    const { out } = await mixlab(['run', path, '--workspace', folder])
    expect(out.join(' ').replaceAll(/\s+/g, ' ')).toMatch(/a family of 1 before it was closed on \d{4}/)
  })
})
