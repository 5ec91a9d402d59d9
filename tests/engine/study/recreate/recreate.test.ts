import { describe, expect, it, vi } from 'vitest'
import type { FileSource } from '../../../../engine/data/files.ts'
import * as mixlab from '../../../../engine/index.ts'
import { analyze, createScope, parseNotebook } from '../../../../engine/notebook/index.ts'
import { NUMERICS } from '../../../../engine/records/numerics.ts'
import type { PlannedRun } from '../../../../engine/records/run.ts'
import { exportOf } from '../../../../engine/study/builtIn.ts'
import type { Study } from '../../../../engine/study/compare.ts'
import { openStudy } from '../../../../engine/study/open.ts'
import type { OpenStudy } from '../../../../engine/study/opened.ts'
import { recreateNotebook } from '../../../../engine/study/recreate/recreate.ts'
import { studiesIn } from '../../../../engine/study/studies.ts'
import { studyWith } from '../../../../engine/study/tuning/grid.ts'
import type { TriedValue } from '../../../../engine/study/tuning/tune.ts'

vi.mock('../../../../engine/data/text/index.ts', async (original) => ({
  ...(await original<object>()),
  ...(await import('../../tasks/tiny-texts.ts')),
}))

const files: FileSource = {
  list: () => Promise.reject(new Error('none')),
  read: () => Promise.reject(new Error('none')),
}
const console = { debug() {}, log() {}, info() {}, warn() {}, error() {} }

/** The studies of a notebook, cell by cell, also those that a cell only ends in. */
async function studiesOf(text: string): Promise<Study[]> {
  const scope = createScope({ mixlab })
  const cells = parseNotebook(text)
  const facts = analyze(cells)
  const found: unknown[] = []
  for (const id of facts.order) {
    const { value, defined } = await scope.evaluate(cells, facts, id, { console })
    found.push(value, ...Object.values(defined))
  }
  return studiesIn(found)
}

async function lastOf(text: string, options = {}): Promise<OpenStudy> {
  const study = (await studiesOf(text)).at(-1)
  if (!study) throw new Error('no study')
  return openStudy(study, options, files)
}

/** A planned run as the store would show it. */
function stored(open: OpenStudy, variant: string, seed: number) {
  const run = open.planned.find((each) => each.variant === variant && each.seed === seed) as PlannedRun
  const origin = open.origin && { ...open.origin, notebook: 'first.ts', variant }
  return { ...run, id: 7, spec: JSON.parse(JSON.stringify(run.spec)) as unknown, origin }
}

/** The keys of all runs that a recreated notebook plans. */
async function keysOf(text: string): Promise<string[]> {
  const opened = await Promise.all((await studiesOf(text)).map((study) => openStudy(study, {}, files)))
  return opened.flatMap(({ planned }) => planned.map(({ key }) => key))
}

const SHARED = `task: image({ data: shapes({ train: 64, test: 20 }) }), model: { patch: 16, dim: 8, depth: 1 },
  train: { steps: 3, batch: 8 }, seeds: 2`
const BLOCK = `// %% width
const width = { n: 12 }

// %% own
import { add, block, dense } from 'mixlab'
const own = block('own', (x, { dim }) => add(x, dense(dense(x, width.n), dim)))
`
const STUDY = `// %% study
import { compare, gmlp, image, shapes } from 'mixlab'
export const study = compare('sizes', { ${SHARED}, variants: { own, 'g / 2': gmlp({ ffnRatio: 2 }) } })
`

describe('recreateNotebook', () => {
  it.each([
    ['own', 2],
    ['g / 2', 1],
  ])('plans the run and no other: %s, seed %d', async (variant, seed) => {
    const run = stored(await lastOf(BLOCK + STUDY), variant, seed)
    expect(await keysOf(recreateNotebook(run))).toEqual([run.key])
  })

  it('is the cells of the study with the study narrowed, and says what it is', async () => {
    const text = recreateNotebook(stored(await lastOf(BLOCK + STUDY), 'own', 2))
    expect(text.startsWith('// %% [markdown] about\n// # sizes: own, seed 2\n//\n')).toBe(true)
    expect(text).toContain('// Run 7, recreated from cell `study` of `first.ts`.\n')
    expect(text).toContain(BLOCK)
    expect(text).toContain("// %% study\nimport { only } from 'mixlab'\n")
    expect(text).toContain("export const study = only(compare('sizes', {")
    expect(text).toMatch(/\}\), \{ variants: \['own'\], seeds: \[2\] \}\)\n$/)
  })

  it('has the value that was chosen for it, and nothing that is asked of several variants', async () => {
    const tuned = `// %% study
import { adamw, ask, compare, factors, gmlp, image, shapes, tuned } from 'mixlab'
export const study = compare('sizes', { ${SHARED}, margin: 0.1, questions: [ask.effect('model')],
  variants: factors({ model: { own, gmlp } }, ({ model }) => ({ block: model })),
  tune: tuned({ lr: [1e-3, 1e-2] }, ({ lr }) => ({ train: { optimizer: adamw({ learningRate: lr }) } })),
})
`
    const study = (await studiesOf(BLOCK + tuned)).at(-1) as Study
    const chosen = study.spec.tune?.tried[1] as TriedValue
    const run = stored(
      await openStudy(
        studyWith(study, () => chosen),
        {},
        files,
      ),
      'model=own',
      2,
    )
    const text = recreateNotebook(run, chosen.values)
    expect(text).toContain("{ variants: ['model=own'], seeds: [2], values: { lr: 0.01 } }")
    expect(await keysOf(text)).toEqual([run.key])
    await expect(studiesOf(text.replace('lr: 0.01 }', 'lr: 0.02 }'))).rejects.toThrow(
      'only(sizes).values: none of those that are tried: lr=0.001; lr=0.01',
    )
  })

  it('can be recreated from its own run', async () => {
    const run = stored(await lastOf(BLOCK + STUDY), 'own', 2)
    const again = stored(await lastOf(recreateNotebook(run)), 'own', 2)
    expect(await keysOf(recreateNotebook(again))).toEqual([run.key])
  })

  it('narrows a study without a name, and one beside something else called `only`', async () => {
    const bare = STUDY.replace('export const study = ', '').replace('dim: 8', 'dim: only as number')
    const run = stored(await lastOf(`${BLOCK}// %% eight\nconst only = 8\n${bare}`), 'own', 1)
    const text = recreateNotebook(run)
    expect(text).toContain("import { only as onlyRun } from 'mixlab'\n")
    expect(await keysOf(text)).toEqual([run.key])
  })

  it('narrows a study in a cell of its own where its value is not to be seen', async () => {
    const hidden = STUDY.replace('export const study = compare', 'let study = null\nstudy = compare')
    const run = stored(await lastOf(BLOCK + hidden), 'g / 2', 2)
    const nested = stored(
      await lastOf(BLOCK + STUDY.replace('const study =', 'const { study } = { study:').concat('}')),
      'own',
      1,
    )
    expect((await lastOf(recreateNotebook(run))).planned.map(({ key }) => key)).toEqual([run.key])
    expect((await lastOf(recreateNotebook(nested))).planned.map(({ key }) => key)).toEqual([nested.key])
  })

  it('narrows a study in the cell that has the code of the block, which has the same key in another text', async () => {
    const inside = STUDY.replace('// %% study', `${BLOCK.replace('own\n', 'study\n')}`)
    const run = stored(await lastOf(inside.replace(/(import .*)\n(const own.*)\n(import .*)/, '$1\n$3\n$2')), 'own', 2)
    expect(recreateNotebook(run)).toMatch(/\}\), \{ variants: \['own'\], seeds: \[2\] \}\)\n$/)
    expect(await keysOf(recreateNotebook(run))).toEqual([run.key])
  })

  it('leaves the cell of a study alone that has code of the block that only its text says', async () => {
    // reads values, and has what the engine made
    const block =
      "import { block, normal } from 'mixlab'\nconst made = normal(1)\nconst own = block('own', (x) => (x.dataSync(), made, x))\n"
    const inside = STUDY.replace('// %% study\n', `${BLOCK.split('// %% own')[0]}// %% study\n${block}`)
    const run = stored(await lastOf(inside), 'own', 2)
    const text = recreateNotebook(run)
    expect(text).toContain('The last cell is the run.')
    expect((await lastOf(text)).planned.map(({ key }) => key)).toEqual([run.key])
  })

  it('has all runs where that study has no name either', async () => {
    const own = "own: block('own', ((made) => (x) => (x.dataSync(), made, x))(normal(1))),"
    const inline = `${STUDY.replace('own,', own).replace('export const study = ', '')}`
    const run = stored(await lastOf(inline.replace('compare,', 'block, compare, normal,')), 'own', 2)
    const text = recreateNotebook(run)
    expect(text).toContain('it has all variants and seeds.\n')
    expect(await keysOf(text)).toHaveLength(4)
    expect(await keysOf(text)).toContain(run.key)
  })

  it.each([
    ['a cell of its own', BLOCK + STUDY],
    ['the cell of the block', STUDY.replace('// %% study', BLOCK.replace('own\n', 'study\n'))],
  ])(
    'has the name that its source has for the variant, which may be one that a study takes no more: in %s',
    async (_, text) => {
      const part = "\n// %% part\nimport { only } from 'mixlab'\nonly(study, { variants: ['64'], seeds: [2] })\n"
      const run = stored(await lastOf(text.replace('{ own,', "{ '64': own,") + part), '64', 2)
      const made = recreateNotebook({ ...run, variant: 'd64' })
      expect(made).toContain('sizes: d64, seed 2')
      expect((await lastOf(made)).planned.map(({ key }) => key)).toEqual([run.key])
    },
  )

  it.each([
    ['a list', 'const both = [first, second]', "], { studies: ['sizes'], variants: ['own'], seeds: [2] })"],
    ['an object', 'export const both = { a: first, b: second }', "}, { studies: ['sizes'], variants: ['own']"],
    ['a list without a name', '[first, second]', "], { studies: ['sizes'], variants: ['own']"],
    ['a list that is computed', 'const both = [8].flatMap(() => [first, second])', "]), { studies: ['sizes']"],
    ['parts of a list', 'const [one, two] = [first, second]', "only(two, { studies: ['sizes'],"],
  ])('narrows %s of studies, whose cell has the code and is not the last', async (_, both, narrowed) => {
    const [imports = '', call = ''] = STUDY.replace('// %% study\n', '').trim().split('export const study = ')
    const other = call.replace("'sizes'", "'others'").replace('dim: 8', 'dim: 12')
    const studies = both.replace('first', `${other}`).replace('second', call)
    const text = `${BLOCK}${imports};${studies}\n\n// %% later\nconst later = 1`
    const run = stored(await lastOf(text), 'own', 2)
    expect(recreateNotebook(run)).toContain(narrowed)
    expect((await lastOf(recreateNotebook(run))).planned.map(({ key }) => key)).toEqual([run.key])
  })

  it('narrows a list of studies in a cell of its own where nothing but the text says what the code does', async () => {
    const made = "import { normal, stack } from 'mixlab'\nconst made = normal(1)\n"
    const read = "stack('read', [block('read', (x) => (x.dataSync(), made, x))])"
    const study = STUDY.replace(/export const study = (.*)\n$/s, 'export const both = [$1]\n')
    const text = study.replace('{ own,', `{ read: ${read},`).replace('// %% study\n', `$&${made}`)
    const run = stored(await lastOf(text.replace('compare,', 'block, compare,')), 'read', 2)
    expect(recreateNotebook(run)).toContain("only(both, { studies: ['sizes'], variants: ['read'], seeds: [2] })")
    expect((await lastOf(recreateNotebook(run))).planned.map(({ key }) => key)).toEqual([run.key])
  })

  it('runs as the run did, in the quick mode or with a seed that the study does not name', async () => {
    const quick = stored(await lastOf(BLOCK + STUDY, { quick: true, seeds: 5 }), 'own', 5)
    expect(quick.key).not.toBe(stored(await lastOf(BLOCK + STUDY, { seeds: 5 }), 'own', 5).key)
    expect(await keysOf(recreateNotebook(quick))).toEqual([quick.key])
  })

  it('brings the study along that it starts from', async () => {
    const text = `// %% before
import { compare, gmlp, mlm, sequence } from 'mixlab'
const tokenizer = { corpus: 'talk' }
const common = { model: { dim: 8, depth: 1, ffn: 16 }, train: { steps: 2, batch: 4, evalExamples: 4 }, seeds: 2 }
const variants = { gmlp: gmlp(), wide: gmlp({ ffn: 32 }) }
const before = compare('before', { task: mlm({ data: 'talk', tokens: 8, tokenizer }), ...common, variants })

// %% after
const task = sequence({ data: 'reviews', tokens: 8, tokenizer })
const after = compare('after', { task, ...common, variants, from: before })
`
    const run = stored(await lastOf(text, { seeds: 3 }), 'wide', 3)
    const again = await lastOf(recreateNotebook(run))
    expect(again.planned.map(({ key }) => key)).toEqual([run.key])
    expect(again.before[0]?.planned.map(({ key }) => key)).toEqual([run.from?.key])
  })

  it('says where the numbers will be others', async () => {
    const run = stored(await lastOf(BLOCK + STUDY), 'own', 2)
    const old = { ...run, spec: { ...(run.spec as object), numerics: NUMERICS - 1 } }
    expect(recreateNotebook(old)).toContain(`numerics ${NUMERICS - 1}, this is ${NUMERICS}: it will be trained anew`)
  })
})

describe('recreateNotebook without cells', () => {
  it('leaves the number of a block out, which is no option', async () => {
    const run = stored(await lastOf(BLOCK + STUDY), 'g / 2', 2)
    const raised = structuredClone(run.spec) as { model: object }
    Object.assign(raised.model, { numerics: 2 })
    expect(recreateNotebook({ ...run, spec: raised, origin: null })).not.toContain('numerics: 2')
  })
  it.each([['g / 2'], ['conv'], ['mlp'], ['given'], ['__proto__']])(
    'writes the study of a built-in block from its spec: %s',
    async (name) => {
      const variants =
        "{ 'g / 2': gmlp({ ffnRatio: 2 }), conv: convMixer(), mlp: plainMlp, given: mixer({ ffn: 13 }), ['__proto__']: gmlp() }"
      const optimizer = "optimizer: lamb({ learningRate: 1e-2 }), augment: { flip: 0.5 }, noDecay: ['it\\'s']"
      const text = `import { compare, convMixer, gmlp, image, lamb, mixer, plainMlp, shapes } from 'mixlab'
      const study = compare("it's", { ${SHARED.replace('batch: 8', `batch: 8, ${optimizer}`)}, variants: ${variants} })`
      const run = { ...stored(await lastOf(text), name, 2), origin: null }
      const made = recreateNotebook(run)
      expect(made).toContain('// Run 7, recreated from its configuration.')
      expect(await keysOf(made)).toEqual([run.key])
      expect(await keysOf(recreateNotebook({ ...run, variant: '64' }))).toEqual([run.key])
    },
  )

  it('calls every built-in block by its name', () => {
    for (const [name, model] of Object.entries(mixlab)) {
      if (typeof model !== 'function' || !('kind' in model) || model.kind !== 'block') continue
      const block = (model as unknown as { blockName: string }).blockName
      expect([block, exportOf(block)]).toEqual([block, name])
    }
  })

  it('says why it cannot', async () => {
    const open = await lastOf(BLOCK + STUDY)
    const own = { ...stored(open, 'own', 1), origin: null }
    const built = stored(open, 'g / 2', 1)
    const from = { key: 'a', study: 'pretraining', variant: 'own', seed: 1 }
    expect(() => recreateNotebook(own)).toThrow(
      'run 7: cannot be recreated: the store has its block but not the cell of its study',
    )
    expect(() => recreateNotebook({ ...built, spec: { ...(built.spec as object), from }, origin: null })).toThrow(
      "run 7: cannot be recreated: it starts from a run of 'pretraining', whose cell the store does not have",
    )
    expect(() => recreateNotebook({ ...built, spec: { train: {} } })).toThrow('run 7: its spec is of another shape')
  })
})
