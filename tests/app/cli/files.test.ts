import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { encode } from 'fast-png'
import { describe, expect, it } from 'vitest'
import { keyOf, uniform } from '../../../engine/random.ts'
import { readSafetensors, writeSafetensors } from '../../../engine/weights/safetensors.ts'
import { LONG } from '../../long.ts'
import { freshFolder, mixlab } from './recorder.ts'

const FOREIGN = 'tests/golden/foreign/mixer'
const labels = ['ant', 'bee', 'cat', 'dog', 'eel', 'fox', 'gnu', 'hen', 'ibis']
const said = ['--labels', labels.join()]

/** A small Mixer of nine classes, as a checkpoint of PyTorch with its configuration. */
function modelIn(folder: string): string {
  mkdirSync(folder)
  copyFileSync('tests/golden/torch/mixer.ckpt', join(folder, 'pytorch_model.bin'))
  copyFileSync(join(FOREIGN, 'config.json'), join(folder, 'config.json'))
  return folder
}

function picture(seed: number, side = 16): Uint8Array {
  const data = Uint8Array.from({ length: side * side * 3 }, (_, i) => 255 * uniform(keyOf(seed, 'picture'), i))
  return encode({ width: side, height: side, data, channels: 3 })
}

const BAD = [new Uint8Array(), Uint8Array.of(1, 2, 3), picture(1).subarray(0, 99)]

/** So many pictures in folders, of which each hundredth is bad. */
function picturesIn(folder: string, count: number): void {
  mkdirSync(join(folder, 'inner'), { recursive: true })
  for (let i = 0; i < count; i++) {
    const bytes = i % 100 === 50 ? (BAD[i % 3] as Uint8Array) : picture(i, 16 + (i % 3))
    writeFileSync(join(folder, i % 2 === 0 ? '' : 'inner', `p${i}.png`), bytes)
  }
  writeFileSync(join(folder, 'notes.txt'), 'no picture')
  writeFileSync(join(folder, '.hidden.png'), 'no picture')
}

describe.skipIf(process.platform === 'win32')('a pipe, or a link to a device,', () => {
  const commands: [ending: string, words: (path: string) => string[]][] = [
    ['.png', (path) => ['predict', 'tests/golden/foreign/mixer', path, ...said]],
    ['.pt', (path) => ['info', path]],
    ['.safetensors', (path) => ['conformance', path]],
    ['.ts', (path) => ['run', path]],
    ['.ts', (path) => ['convert', path, '-o', `${path}.html`]],
    ['.ipynb', (path) => ['convert', path, '-o', `${path}.ts`]],
  ]
  it.each(commands)('in place of a file ending in %s is named and not waited for', async (ending, words) => {
    const folder = freshFolder()
    const pipe = join(folder, `pipe${ending}`)
    const device = join(folder, `device${ending}`)
    execFileSync('mkfifo', [pipe])
    symlinkSync('/dev/zero', device)
    for (const path of [pipe, device]) {
      const { code, out, err } = await mixlab(words(path))
      expect(code).not.toBe(0)
      expect([...out, ...err].join('\n')).toContain(`${path}: cannot be read: is a pipe or a device`)
    }
  })
})

describe('mixlab predict, of many pictures,', () => {
  it('answers many of which some are bad, as CSV, each as it would alone', async () => {
    const count = LONG ? 1000 : 200
    const folder = freshFolder()
    const [model, pictures] = [modelIn(join(folder, 'model')), join(folder, 'pictures')]
    picturesIn(pictures, count)
    const { code, out, err } = await mixlab(['predict', model, pictures, '--csv', '--top', '2', ...said])
    expect(code).toBe(3)
    expect(out[0]).toBe('input,prediction_1,probability_1,prediction_2,probability_2,error')
    expect(out).toHaveLength(count + 1)
    const bad = out.filter((line) => /,,,,,./.test(line))
    expect(bad).toHaveLength(count / 100)
    expect(err.filter((line) => line.startsWith('mixlab: '))).toHaveLength(count / 100)
    expect(bad[0]).toMatch(/p\d*50\.png,,,,,.*p\d*50\.png: (empty file|neither a PNG|cannot be decoded)/)
    expect(err).toContain("left out of the file: 'epoch'")
    for (const name of ['p0.png', 'p64.png', `inner/p${count - 1}.png`]) {
      const path = join(pictures, name)
      const alone = await mixlab(['predict', model, path, '--csv', '--top', '2', ...said])
      expect([alone.code, alone.out[1]]).toEqual([0, out.find((line) => line.startsWith(`${path},`))])
    }
  })
  it.runIf(LONG)(
    'takes paths from a pipe, as lines or apart by zeros, and says what of them is not there',
    async () => {
      const folder = freshFolder()
      const [model, pictures] = [modelIn(join(folder, 'model')), join(folder, 'pictures')]
      picturesIn(pictures, 3)
      const paths = readdirSync(pictures)
        .filter((name) => /^p.*png$/.test(name))
        .map((name) => join(pictures, name))
      const named = await mixlab(['predict', model, ...paths, '--json', ...said])
      expect([named.code, named.out]).toEqual([0, expect.objectContaining({ length: 2 })])
      for (const end of ['\n', '\r\n', '\0']) {
        const input = async () => paths.map((path) => path + end).join('')
        expect((await mixlab(['predict', model, '-', '--json', ...said], { input })).out).toEqual(named.out)
        expect((await mixlab(['predict', model, '--json', ...said], { input })).out).toEqual(named.out)
      }
      const missing = await mixlab(['predict', model, 'nowhere.png', paths[0] ?? '', '--json', ...said])
      expect([missing.code, missing.out.length]).toEqual([3, 2])
      expect(JSON.parse(missing.out[0] ?? '')).toEqual({ input: 'nowhere.png', error: 'nowhere.png: no such file' })
      expect(missing.err).toContain('mixlab: nowhere.png: no such file')
      const empty = join(folder, 'empty')
      mkdirSync(empty)
      const none = await mixlab(['predict', model, empty, ...said])
      expect([none.code, none.err.at(-1)]).toEqual([1, `mixlab: ${empty}: is a folder without a file that is read`])
      expect((await mixlab(['predict', model, empty, '--csv', '--json'])).err[0]).toContain(
        '--csv: stands beside --json',
      )
    },
  )
})

it.runIf(LONG)(
  'mixlab predict reads a folder of Hugging Face in parts, and says what to do without a head',
  async () => {
    const folder = join(freshFolder(), 'vit')
    mkdirSync(folder)
    const foreign = 'tests/golden/foreign/hf-vit'
    for (const file of ['config.json', 'preprocessor_config.json'])
      copyFileSync(join(foreign, file), join(folder, file))
    const { tensors } = readSafetensors(new Uint8Array(readFileSync(join(foreign, 'model.safetensors'))))
    const path = join(folder, '..', 'a.png')
    writeFileSync(path, picture(1))
    const whole = await mixlab(['predict', join(foreign, 'model.safetensors'), path, '--json'])
    expect(whole.code).toBe(0)
    const names = ['model-00001-of-00002.safetensors', 'model-00002-of-00002.safetensors'] as const
    writeFileSync(join(folder, names[0]), writeSafetensors(tensors.slice(0, 5)))
    writeFileSync(join(folder, names[1]), writeSafetensors(tensors.slice(5)))
    const map = tensors.map(({ name }, i) => [name, names[Number(i >= 5)]])
    const index = join(folder, 'model.safetensors.index.json')
    writeFileSync(index, JSON.stringify({ weight_map: Object.fromEntries(map) }))
    expect((await mixlab(['predict', folder, path, '--json'])).out).toEqual(whole.out)
    renameSync(index, `${index}.away`)
    writeFileSync(
      join(folder, 'model.safetensors'),
      writeSafetensors(tensors.filter(({ name }) => !/classifier/.test(name))),
    )
    for (const command of ['predict', 'evaluate']) {
      const { code, err } = await mixlab([command, folder, path])
      expect([code, err[0]]).toEqual([1, expect.stringContaining('model.safetensors: has no head: it gives features')])
    }
  },
)

describe('mixlab evaluate, of files in folders of their classes,', () => {
  it.runIf(LONG)('measures what mixlab predict answers, and goes on after bad ones', async () => {
    const folder = freshFolder()
    const model = modelIn(join(folder, 'model'))
    for (let i = 0; i < 40; i++) {
      const of = join(folder, 'photos', labels[i % 9] as string)
      mkdirSync(of, { recursive: true })
      writeFileSync(join(of, `${i}.png`), i === 20 ? Uint8Array.of(1) : picture(i))
    }
    mkdirSync(join(folder, 'photos', 'zebu'))
    writeFileSync(join(folder, 'photos', 'zebu', 'a.png'), picture(1))
    const photos = join(folder, 'photos')
    const { code, out, err } = await mixlab(['evaluate', model, photos, '--json', ...said])
    expect(code).toBe(3)
    expect(err).toEqual([
      expect.stringMatching(/^mixlab: .*cat.20\.png: neither a PNG nor a JPEG file$/),
      expect.stringMatching(/^mixlab: .*zebu.a\.png: its folder 'zebu' is none of the classes of the model$/),
    ])
    const found = JSON.parse(out[0] ?? '')
    expect(found.examples).toEqual({ pictures: 39 })
    const rows = (await mixlab(['predict', model, photos, '--json', '--top', '9', ...said])).out.map((line) =>
      JSON.parse(line),
    )
    const sound = rows.filter(({ top, input }) => top && !input.includes('zebu'))
    const right = sound.filter(({ input, top }) => input.includes(`/${top[0].name}/`)).length
    expect(found.metrics['pictures/accuracy'].value).toBe(right / 39)
    const nats = sound.map(
      ({ input, top }) => -Math.log(top.find(({ name }: { name: string }) => input.includes(`/${name}/`)).probability),
    )
    expect(found.metrics['pictures/loss'].value).toBeCloseTo(nats.reduce((sum, each) => sum + each, 0) / 39, 5)
    const csv = await mixlab(['evaluate', model, photos, '--csv', ...said])
    expect(csv.out).toEqual([
      'metric,value',
      ...Object.entries<{ value: number }>(found.metrics).map(([name, { value }]) => `${name},${value}`),
    ])
    const input = async () => `${join(photos, 'ant', '0.png')}\n`
    const one = await mixlab(['evaluate', model, '-', '--json', ...said], { input })
    expect([one.code, JSON.parse(one.out[0] ?? '').examples]).toEqual([0, { pictures: 1 }])
    const refused = async (...words: string[]) => (await mixlab(['evaluate', model, ...words])).err[0]
    expect(await refused(photos, '--data', photos)).toBe('mixlab: --data: is of a data set, not of files')
    expect(await refused(join(photos, 'zebu'), ...said)).toContain("its folder 'zebu' is none of the classes")
    expect(await refused(photos, '--labels', 'a,a,b,c,d,e,f,g,h')).toContain("two of its classes are called 'a'")
  })
  it('goes on as a data set, too', async () => {
    const folder = freshFolder()
    const model = modelIn(join(folder, 'model'))
    for (let i = 0; i < 36; i++) {
      const of = join(folder, 'photos', labels[i % 9] as string)
      mkdirSync(of, { recursive: true })
      writeFileSync(join(of, `${i}.png`), i === 20 ? Uint8Array.of(1) : picture(i))
    }
    const { code, out } = await mixlab(['evaluate', model, '--data', join(folder, 'photos'), '--json', ...said])
    expect(code).toBe(3)
    expect(JSON.parse(out[0] ?? '').notes).toEqual(
      expect.arrayContaining([
        '1 of 36 files left out as unreadable',
        expect.stringContaining('20.png: neither a PNG'),
      ]),
    )
  })
})
