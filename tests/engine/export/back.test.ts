import { beforeAll, expect, it } from 'vitest'
import { sample } from '../../long.ts'
import { onSimd } from '../backends/simd/setup.ts'
import { CATALOGUE, exported, saying, startedFrom, type Trained, trained } from './trained.ts'

onSimd()

let runs: Trained[] = []
beforeAll(async () => {
  runs = await trained(CATALOGUE)
})

it.each([
  ['safetensors', '.safetensors', false, 0],
  ['safetensors', '.safetensors', true, 2],
  ['npz', '.npz', false, 4],
  ['torch', '.py.safetensors', true, 6],
] as const)(
  'every model comes back from %s, %s, and says the same; Toeplitz matrices written out: %s',
  async (format, ending, toeplitz, from) => {
    const wrong: string[] = []
    for (const each of sample(runs, from, 16)) {
      const name = `${each.run.study}/${each.run.variant}`
      try {
        const { files } = await exported(each, format, { toeplitz })
        const back = await startedFrom(each, `model${ending}`, files[ending] as Uint8Array)
        const [said, again] = [await saying(each), await saying(back)]
        if (JSON.stringify(said.logits) !== JSON.stringify(again.logits)) wrong.push(`${name} says something else`)
      } catch (error) {
        wrong.push(`${name}: ${error}`)
      }
    }
    expect(wrong).toEqual([])
  },
)

it('a folded ResMLP comes back as one that is folded', async () => {
  const of = (variant: string) => runs.find(({ run }) => run.study === 'images' && run.variant === variant) as Trained
  const { files } = await exported(of('resmlp'), 'npz', { fold: true })
  const back = await startedFrom(of('resmlpFolded'), 'model.npz', files['.npz'] as Uint8Array)
  const [said, again] = [await saying(of('resmlp')), await saying(back)]
  again.logits?.forEach((logit, i) => {
    expect(logit).toBeCloseTo(said.logits?.[i] ?? Number.NaN, 5)
  })
  const unfolded = startedFrom(of('resmlp'), 'model.npz', files['.npz'] as Uint8Array)
  await expect(unfolded).rejects.toThrow("from: 'model.npz': missing: 'blocks.0.norm1.alpha'")
})
