import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { strToU8 } from 'fflate'
import { describe, expect, it } from 'vitest'
import { contentsOf } from '../../../../engine/weights/files/contents.ts'
import { openWeightsFile } from '../../../../engine/weights/files/index.ts'
import { readSafetensors } from '../../../../engine/weights/safetensors.ts'
import { checkpoint, count, counts, dict, floats, long, name, steps, tensor, text } from './pickle.ts'

const golden = (file: string) => new Uint8Array(readFileSync(`tests/golden/torch/${file}`))
const read = (file: Uint8Array) => contentsOf(file, 'f')
const one = count(0)
/** A dict of a tensor beside another value. */
const beside = (value: Uint8Array) =>
  checkpoint(dict({ a: tensor('0', one, counts(4), counts(1)), b: value }), { 0: floats(1, 2, 3, 4) })

describe('a checkpoint of PyTorch', () => {
  const kinds: Record<string, { shape: number[]; values: number[] }> = JSON.parse(
    readFileSync('tests/golden/torch/kinds.json', 'utf8'),
  )
  it.each(['kinds.pt', 'kinds-legacy.pth'])('has tensors of all types, turned, shared and overlapping: %s', (file) => {
    const { tensors, left } = read(golden(file))
    const found = tensors.map(({ name, shape, values }) => [name, { shape, values: [...values] }])
    const expected = Object.entries(kinds).map(([name, { shape, values }]) => [
      name,
      { shape, values: values.map(Math.fround) },
    ])
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected))
    expect(left).toEqual(file === 'kinds.pt' ? ["tensor 'complex' of type 'ComplexFloatStorage' is not read"] : [])
  })
  it.each(['wrapped.pt', 'wrapped-legacy.pt', 'wrapped-protocol-4.pt'])(
    'gives its model, and says what else is there: %s',
    (file) => {
      const { tensors, left } = read(golden(file))
      expect(tensors.map(({ name, shape }) => [name, shape])).toEqual([
        ['weight', [2, 3]],
        ['bias', [2]],
      ])
      expect(left).toEqual([
        "left out of the file: 'optimizer' (6 tensors), 'rng' (1 tensor), 'history' (1 tensor), 'epoch', 'best', 'args'",
      ])
    },
  )
  it('is refused where it names code, which does not run', () => {
    expect(() => read(golden('runs-code.pt'))).toThrow("f: names 'posix.system', which is code")
    expect(existsSync('/tmp/mixlab-was-here')).toBe(false)
    expect(() => read(golden('module.pt'))).toThrow("names 'torch.nn.modules.linear.Linear', which is code")
    expect(() => read(golden('list.pt'))).toThrow(
      'f: has no tensors by name; save torch.save(model.state_dict(), path)',
    )
  })
  it('is known behind what torch.compile and wrappers put into its names', () => {
    const mixer = readSafetensors(new Uint8Array(readFileSync('tests/golden/foreign/mixer/model.safetensors'))).tensors
    const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1)
    expect(openWeightsFile(golden('mixer.ckpt'), 'f').tensors.sort(byName)).toEqual([...mixer].sort(byName))
    const two = golden('two-mixers.pth') // which are equal
    for (const prefix of ['model_ema.backbone.', 'model_ema.backbone', 'model_ema', 'model', undefined])
      expect(openWeightsFile(two, 'f', prefix).tensors.sort(byName)).toEqual([...mixer].sort(byName))
    expect(openWeightsFile(two, 'f').left).toEqual([
      `left out of the file: what is behind 'model_ema.backbone.' (${mixer.length} tensors, equal to those taken)`,
    ])
    expect(() => openWeightsFile(two, 'f', 'mod')).toThrow("f: no first block behind the prefix 'mod'")
  })

  it.each([
    'builtins.eval',
    '__builtin__.exec',
    'os.system',
    'posix.system',
    'subprocess.Popen',
    'runpy._run_code',
    'pickle.loads',
  ])('names no %s', (global) => {
    expect(() => read(beside(steps(name(global), '(', text('x'), 'tR')))).toThrow(`names '${global}', which is code`)
    const stacked = steps(
      text(global.slice(0, global.lastIndexOf('.'))),
      text(global.slice(global.lastIndexOf('.') + 1)),
      '\x93',
    )
    expect(() => read(beside(stacked))).toThrow(`names '${global}', which is code`)
  })
  it.each([
    'builtins.getattr',
    'torch.load',
    'torch.hub.load',
    '__main__.Net',
    'torch.nn.Linear',
    'operator.attrgetter',
    'torch.storage._load_from_bytes',
    'numpy.load',
    'pytorch_lightning.utilities.parsing.AttributeDict',
    'omegaconf.dictconfig.DictConfig',
    'constructor.constructor',
    '__proto__.toString',
  ])('may name %s, which does nothing and is left out', (global) => {
    const called = steps(name(global), '(', text('x'), 'tR')
    const made = steps(name(global), ')\x81}(', text('lr'), 'K', [1], 'ub')
    const filled = steps(name(global), ')R(', text('lr'), 'K', [1], 'u')
    for (const value of [called, made, filled]) {
      const { tensors, left } = read(beside(value))
      expect([tensors.map((each) => each.name), left]).toEqual([['a'], ["left out of the file: 'b'"]])
    }
  })
  it('names nothing of JavaScript either', () => {
    for (const [module, member] of ['.constructor', '.__proto__', '.toString'].map((each) => each.split('.')))
      expect(read(beside(steps('c', module ?? '', '\n', member ?? '', '\n'))).left).toEqual([
        "left out of the file: 'b'",
      ])
    const { tensors } = read(
      checkpoint(dict({ __proto__x: one, __proto__: one, constructor: tensor('0', one, counts(1), counts(1)) }), {
        0: floats(1),
      }),
    )
    expect(tensors.map(({ name }) => name)).toEqual(['constructor'])
  })
  it.each([
    ['INST', steps('(ios\nsystem\n'), '0x69'],
    ['OBJ', steps('(', name('collections.OrderedDict'), 'o'), '0x6f'],
    ['EXT1', steps('\x82', [1]), '0x82'],
    ['PERSID', steps('Pabc\n'), '0x50'],
    ['NEWOBJ_EX', steps('))}\x92'), '0x92'],
    ['a text of protocol 0', steps("S'abc'\n"), '0x53'],
    ['no step at all', steps([0xff]), '0xff'],
  ])('takes no step that is not read: %s', (_, value, code) => {
    expect(() => read(beside(value))).toThrow(`f: its pickle has the opcode ${code}, which is not read`)
  })
  it.each([
    ['takes from an empty stack', steps('000000000')],
    ['takes across a mark', steps('(0')],
    ['names no place of its memo', steps('h', [9])],
    ['calls a number', steps('K', [1], ')R')],
    ['calls with no tuple', steps(name('collections.OrderedDict'), 'K', [1], 'R')],
    ['appends to a number', steps('K', [1], 'K', [2], 'a')],
    ['sets in a list', steps(']', text('a'), 'K', [2], 's')],
    ['sets half a pair', steps('}(', text('a'), 'u')],
    ['has no mark', steps('ttttt')],
  ])('is refused where its pickle %s', (_, value) => {
    expect(() => read(beside(value))).toThrow('f: its pickle is damaged')
  })
  it('may hold the settings of its training, whatever these are called with', () => {
    const namespace = steps(name('argparse.Namespace'), ')\x81}(', text('model'), 'K', [1], 'ub')
    const { tensors, left } = read(beside(namespace))
    expect([tensors.length, left]).toEqual([1, ["left out of the file: 'b'"]])
    const posix = steps(name('pathlib.PosixPath'), '(', text('/etc'), text('passwd'), 'tR')
    expect(read(beside(posix)).tensors).toHaveLength(1)
  })
  it('may hold itself, and dicts without end', () => {
    const itself = steps('}q', [0], '(', text('self'), 'h', [0], text('a'), tensor('0', one, counts(4), counts(1)), 'u')
    expect(read(checkpoint(itself, { 0: floats(1, 2, 3, 4) })).tensors).toHaveLength(1)
    const deep = Array.from({ length: 100_000 }, () => steps('}', text('a')))
    expect(() => read(checkpoint(steps(...deep, 'N', 's'.repeat(100_000))))).toThrow('has no tensors by name')
    const tuples = steps('N', '\x85'.repeat(100_000))
    const key = steps('}(', text('a'), tensor('0', one, counts(4), counts(1)), tuples, 'Nu')
    expect(read(checkpoint(key, { 0: floats(1, 2, 3, 4) })).left).toEqual([
      "left out of the file: '(a key that is no text)'",
    ])
    expect(read(beside(steps(name('numpy.dtype'), tuples, 'R'))).left).toEqual(["left out of the file: 'b'"])
    expect(read(beside(tuples)).tensors).toHaveLength(1)
    // each dict has the one before ten times: 10^30 of them on paper
    const laughs = Array.from({ length: 30 }, (_, i) =>
      steps('0}q', [i + 1], '(', ...Array.from({ length: 10 }, (_, k) => steps(text(`${k}`), 'h', [i])), 'u'),
    )
    expect(() => read(checkpoint(steps('}q', [0], ...laughs)))).toThrow('has no tensors by name')
  })

  const huge = 2 ** 31 - 1
  it.each([
    [
      'ends behind its storage',
      tensor('0', one, counts(5), counts(1)),
      "tensor 'a' ends at value 5 of its storage, which has 4",
    ],
    ['begins behind it', tensor('0', count(4), counts(1), counts(1)), 'ends at value 5 of its storage, which has 4'],
    ['begins before it', tensor('0', count(-1), counts(1), counts(1)), 'has no valid shape, strides and offset'],
    [
      'begins beyond all numbers',
      tensor('0', long(2n ** 62n), counts(1), counts(1)),
      'has no valid shape, strides and offset',
    ],
    [
      'begins far away',
      tensor('0', long(2n ** 40n), counts(1), counts(1)),
      'ends at value 1099511627777 of its storage',
    ],
    ['steps backwards', tensor('0', count(3), counts(4), counts(-1)), 'has no valid shape, strides and offset'],
    [
      'has other strides than axes',
      tensor('0', one, counts(2, 2), counts(1)),
      'has no valid shape, strides and offset',
    ],
    ['is larger than memory', tensor('0', one, counts(huge), counts(0)), 'f: its tensors take more than 16.8 MB'],
    [
      'is larger than numbers',
      tensor('0', one, counts(...Array(32).fill(huge)), counts(...Array(32).fill(0))),
      'its tensors take more than',
    ],
    [
      'has too many axes',
      tensor('0', one, counts(...Array(40).fill(1)), counts(...Array(40).fill(0))),
      'has no valid shape',
    ],
    ['is in no storage', tensor('9', one, counts(1), counts(1)), 'ends at value 1 of its storage, which has 0'],
    ['is in the folder above', tensor('../data.pkl', one, counts(1), counts(1)), 'of its storage, which has 0'],
    [
      'is in None',
      steps(name('torch._utils._rebuild_tensor_v2'), '(N', one, counts(1), counts(1), '\x89NtR'),
      'has no valid shape',
    ],
  ])('is refused where a tensor %s', (_, value, message) => {
    expect(() => read(checkpoint(dict({ a: value }), { 0: floats(1, 2, 3, 4) }))).toThrow(message)
  })
  it('has empty tensors, be an axis beyond all numbers', () => {
    const [tensorOf] = read(
      checkpoint(dict({ a: tensor('0', one, counts(0, huge, huge, huge), counts(1, 1, 1, 1)) }), { 0: floats(1) }),
    ).tensors
    expect(tensorOf).toEqual({ name: 'a', shape: [0, huge, huge, huge], values: new Float32Array() })
  })
  it('does not fail for a type that nobody reads, and says so where it is missed', () => {
    const own = tensor('0', one, counts(4), counts(1))
    const file = checkpoint(dict({ a: own, b: tensor('0', one, counts(1), counts(1), 'torch.QInt8Storage') }), {
      0: floats(1, 2, 3, 4),
    })
    expect(read(file)).toMatchObject({
      tensors: [{ name: 'a' }],
      left: ["tensor 'b' of type 'QInt8Storage' is not read"],
    })
    const float8 = steps(
      name('torch._utils._rebuild_tensor_v3'),
      '((',
      text('storage'),
      name('torch.storage.UntypedStorage'),
      text('0'),
      text('cpu'),
      count(4),
      'tQ',
      one,
      counts(4),
      counts(1),
      '\x89N',
      name('torch.float8_e4m3fn'),
      'tR',
    )
    const untyped = checkpoint(dict({ a: own, b: float8 }), { 0: floats(1, 2, 3, 4) })
    expect(read(untyped).left).toEqual(["tensor 'b' of type 'float8_e4m3fn' is not read"])
  })
  it('is refused big-endian, and cut anywhere', () => {
    const value = dict({ a: tensor('0', one, counts(1), counts(1)) })
    expect(() => read(checkpoint(value, { 0: floats(1) }, { 'a/byteorder': strToU8('big') }))).toThrow(
      'has its numbers big-endian',
    )
    for (const file of readdirSync('tests/golden/torch').filter((each) => /kinds-.*pth$|^wrapped/.test(each))) {
      const whole = golden(file)
      for (let end = 20; end < whole.length - 8; end += 41)
        expect(() => read(whole.subarray(0, end)), `${file} ${end}`).toThrow(
          expect.objectContaining({ code: 'weights' }),
        )
    }
  })
  it('is refused where its zip claims more than it can have', () => {
    const file = checkpoint(dict({ a: tensor('0', one, counts(1), counts(1)) }), { 0: floats(1, 2) })
    const central = file.lastIndexOf(0x01, file.length) // claimed sizes stand in the central directory
    expect(central).toBeGreaterThan(0)
    const view = new DataView(file.buffer, file.byteOffset, file.length)
    for (let at = 0; at < file.length - 4; at++)
      if (view.getUint32(at, true) === 0x02014b50) view.setUint32(at + 24, 2 ** 31, true)
    expect(() => read(file)).toThrow(/claims 2147483648 bytes of \d+/)
  })
  it('takes no more steps than a checkpoint can need', () => {
    expect(() => read(beside(steps(new Uint8Array(4_000_001).fill('N'.charCodeAt(0)))))).toThrow(
      'its pickle takes more than 4000000 steps',
    )
    expect(() => read(beside(steps('\x8b', [0xff, 0xff, 0xff, 0x7f])))).toThrow(
      'has a whole number of 2147483647 bytes',
    )
  })
})
