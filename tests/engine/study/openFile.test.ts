import { describe, expect, it } from 'vitest'
import type { FileSource } from '../../../engine/data/files.ts'
import { MixlabError } from '../../../engine/errors.ts'
import { compare, gmlp, image, mixer, shapes, weights } from '../../../engine/index.ts'
import type { StudyEvent } from '../../../engine/records/run.ts'
import type { Study, StudySpec } from '../../../engine/study/compare.ts'
import { executeStudy } from '../../../engine/study/execute.ts'
import { readSafetensors, writeSafetensors } from '../../../engine/weights/safetensors.ts'
import { memoryRuns } from './memory-runs.ts'

const backend = { name: 'cpu', device: 'test' } as const

function filesOf(known: Record<string, Uint8Array>): FileSource {
  const read = async (path: string) => {
    const found = known[path]
    if (!found) throw new MixlabError('data', path, 'no such file')
    return found
  }
  return { list: async () => [], read }
}

const study = (more: Partial<StudySpec> = {}) =>
  compare('s', {
    task: image({ data: shapes({ train: 32, test: 8 }) }),
    model: { patch: 8, dim: 8, depth: 1, ffn: 8 },
    variants: { mixer: mixer() },
    train: { steps: 2, batch: 4 },
    seeds: [1],
    ...more,
  })

async function execute(study: Study, known: Record<string, Uint8Array>, runs = memoryRuns()): Promise<StudyEvent[]> {
  const all: StudyEvent[] = []
  for await (const event of executeStudy(study, { runs, files: filesOf(known), backend })) all.push(event)
  return all
}

const planned = (events: StudyEvent[]) => events.flatMap((event) => (event.type === 'plan' ? event.runs : []))[0]

const runs = memoryRuns()
await execute(study(), {}, runs)
const trained = await runs.readWeights(1)
const known = { 'a.safetensors': trained, 'b.safetensors': trained, 'bad.safetensors': trained.subarray(0, 50) }

describe('a study that starts from a file', () => {
  it('has its weights, and says how many and from which bytes', async () => {
    const own = memoryRuns()
    const events = await execute(
      study({ from: weights({ path: 'a.safetensors' }), train: { steps: 1, batch: 4 } }),
      known,
      own,
    )
    const [start] = events.flatMap((event) =>
      event.type === 'run' && event.event.type === 'start' ? [event.event] : [],
    )
    expect(start?.taken).toBe(start?.parameters)
    expect(planned(events)?.from).toMatchObject({
      path: 'a.safetensors',
      sha256: expect.stringMatching(/^[\da-f]{64}$/),
    })
    const first = readSafetensors(await own.readWeights(1)).tensors
    expect(first.map(({ name }) => name)).toEqual(readSafetensors(trained).tensors.map(({ name }) => name))
  })

  it('has keys by what is in the file, not by its name, and by how it is taken', async () => {
    const keyOf = async (from?: StudySpec['from']) => planned(await execute(study(from ? { from } : {}), known))?.key
    const a = await keyOf(weights({ path: 'a.safetensors' }))
    expect(await keyOf(weights({ path: 'b.safetensors' }))).toBe(a)
    expect(await keyOf()).not.toBe(a)
    expect(await keyOf(weights({ path: 'a.safetensors', resize: true }))).not.toBe(a)
  })

  it('says what it leaves out of it, and takes one of several models', async () => {
    const own = readSafetensors(trained).tensors
    const under = (front: string, by = 0) =>
      own.map((each) => ({ ...each, name: front + each.name, values: each.values.map((value) => value + by) }))
    const loss = { name: 'loss.weight', shape: [1], values: Float32Array.of(1) }
    const files = {
      'one.pth.tar': writeSafetensors([...under('model.'), loss]),
      'two.pth': writeSafetensors([...under('net.'), ...under('ema.', 1)]),
    }
    const started = async (options: Parameters<typeof weights>[0]) => {
      const events = await execute(study({ from: weights(options), train: { steps: 1, batch: 4 } }), files)
      return {
        from: planned(events)?.from,
        told: events.flatMap((each) => (each.type === 'warning' ? [each.message] : [])),
      }
    }
    expect((await started({ path: 'one.pth.tar' })).told).toEqual([
      "one.pth.tar: left out as not taken by the model: 'loss.weight'",
    ])
    await expect(started({ path: 'two.pth' })).rejects.toThrow(
      "s.from: 'two.pth': has 2 models, behind 'net.', 'ema.'; it takes one (--prefix; in a cell, prefix)",
    )
    const [net, ema] = [
      await started({ path: 'two.pth', prefix: 'net' }),
      await started({ path: 'two.pth', prefix: 'ema' }),
    ]
    expect([net.from, ema.from]).toMatchObject([{ prefix: 'net' }, { prefix: 'ema' }])
    expect(net.from?.key).not.toBe(ema.from?.key)
    expect(ema.told).toEqual([`two.pth: left out of the file: what is behind 'net.' (${own.length} tensors)`])
  })

  it('may be of another size of picture where that is asked for', async () => {
    const larger = { patch: 4, dim: 8, depth: 1, ffn: 8 }
    const from = (resize: boolean) => study({ model: larger, from: weights({ path: 'a.safetensors', resize }) })
    await expect(execute(from(false), known)).rejects.toThrow("'stem.proj.weight' is [8,3,8,8], in the model [8,3,4,4]")
  })

  it.each([
    [weights({ path: 'none.safetensors' }), {}, 'none.safetensors: no such file'],
    [weights({ path: 'bad.safetensors' }), {}, "s.from: 'bad.safetensors': header of"],
    [weights({ path: 'a.onnx' }), {}, 'a.onnx: no such file'],
    [
      weights({ path: 'a.safetensors' }),
      { variants: { gmlp } },
      "s.from: 'a.safetensors': missing: 'blocks.0.norm.weight'",
    ],
    [
      weights({ path: 'a.safetensors' }),
      { model: { patch: 8, dim: 8, depth: 2, ffn: 8 } },
      "missing: 'blocks.1.norm1.weight'",
    ],
  ])('refuses %j before it trains', async (from, more, message) => {
    await expect(execute(study({ from, ...more }), known)).rejects.toThrow(message)
  })

  it('is refused under another name', () => {
    expect(() => study({ from: 'a.safetensors' as never })).toThrow(
      "s.from: 'a.safetensors', expected a study, made by compare(), weightsOf(study, …), or weights({ path })",
    )
    expect(() => weights({ file: 'a' } as never)).toThrow(/weights.*file/)
  })
})
