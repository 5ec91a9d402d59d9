import { readFileSync } from 'node:fs'
import { gzipSync, strToU8, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { contentsOfModel } from '../../../../engine/export/formats/contents.ts'
import { gatherWeights } from '../../../../engine/weights/files/gather.ts'
import { withOurNames } from '../../../../engine/weights/files/index.ts'
import { kindOf } from '../../../../engine/weights/files/kind.ts'
import { type NamedTensor, readSafetensors, writeSafetensors } from '../../../../engine/weights/safetensors.ts'
import { memoryFiles } from '../../data/memory-files.ts'
import { npy, npz } from './npy.ts'
import { checkpoint, count, counts, dict, floats, steps, tensor } from './pickle.ts'

const golden = (path: string) => new Uint8Array(readFileSync(`tests/golden/${path}`))
const mixer = readSafetensors(golden('foreign/mixer/model.safetensors')).tensors
const byName = (tensors: readonly NamedTensor[]) => tensors.toSorted((a, b) => (a.name < b.name ? -1 : 1))
const front = (prefix: string, tensors = mixer) => tensors.map((each) => ({ ...each, name: prefix + each.name }))
const bytesOf = ({ values }: NamedTensor) => new Uint8Array(values.buffer, values.byteOffset, values.byteLength)

/** What is in a file of a name. */
async function read(file: Uint8Array | string, name = 'f', prefix?: string) {
  const { parts } = await gatherWeights(name, memoryFiles({ [name]: file }))
  return withOurNames(contentsOfModel(parts, name), name, prefix)
}

/** A checkpoint as PyTorch 1.6 and later write it, of dicts of tensors by their names. */
function torch(dicts: Record<string, readonly NamedTensor[]>): Uint8Array {
  const storages: Record<string, Uint8Array> = {}
  const inner = Object.entries(dicts).map(([name, tensors]) => {
    const entries = tensors.map((each) => {
      const key = String(Object.keys(storages).length)
      storages[key] = bytesOf(each)
      const strides = each.shape.map((_, i) => each.shape.slice(i + 1).reduce((all, length) => all * length, 1))
      return [each.name, tensor(key, count(0), counts(...each.shape), counts(...strides))]
    })
    return [name, dict(Object.fromEntries(entries))]
  })
  return checkpoint(dict(Object.fromEntries(inner)), storages)
}

/** A tar archive of files. */
function tar(files: Record<string, Uint8Array>): Uint8Array {
  const blocks = Object.entries(files).flatMap(([name, bytes]) => {
    const head = new Uint8Array(512)
    head.set(strToU8(name))
    head.set(strToU8(`${bytes.length.toString(8).padStart(11, '0')}\0`), 124)
    head.set(strToU8('0'), 156)
    head.set(strToU8('ustar\x0000'), 257)
    return [head, bytes, new Uint8Array(-bytes.length & 511)]
  })
  return steps(...blocks, new Uint8Array(1024))
}

const FILES = {
  safetensors: writeSafetensors(mixer),
  npz: npz(mixer),
  torch: torch({ state_dict: mixer }),
  older: golden('torch/mixer.ckpt'),
}
const NAMES = [
  'w.safetensors',
  'w.npz',
  'w.npy',
  'w.pt',
  'w.PTH',
  'w.pth.tar',
  'w.tar',
  'w.ckpt',
  'w.bin',
  'w.pkl',
  'w.onnx',
]

describe('a file is known by its bytes', () => {
  it.each(Object.keys(FILES) as (keyof typeof FILES)[])('whatever its name ends in: %s', async (kind) => {
    for (const name of [...NAMES, 'w.json', 'w.zip', 'w.txt', 'w.gz', 'w', 'W.SafeTensors', 'a.b/w']) {
      expect(byName((await read(FILES[kind], name)).tensors), name).toEqual(byName(mixer))
      expect(byName((await read(gzipSync(FILES[kind]), name)).tensors), `${name}, packed`).toEqual(byName(mixer))
    }
  })
  it('whatever byte its header begins with, which is the length of it', () => {
    for (let more = 0; more < 256; more++) {
      const file = writeSafetensors([{ name: 'a', shape: [1], values: Float32Array.of(2) }], { pad: ' '.repeat(more) })
      const [from, length] = [8, Number(new DataView(file.buffer).getBigUint64(0, true))]
      const exact = new TextDecoder().decode(file.subarray(from, from + length)).trimEnd()
      const bare = steps(new Uint8Array(BigUint64Array.of(BigInt(exact.length)).buffer), exact, file.subarray(-4))
      expect([kindOf(bare), kindOf(file)], `${exact.length}`).toEqual(['safetensors', 'safetensors'])
      expect(readSafetensors(bare).tensors[0]?.values[0]).toBe(2)
    }
    for (const length of [0x4b50, 0x8b1f, 0x0280, 0x0708, 0x3c20, 0x7b7b]) {
      const header = '{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}'.padEnd(length)
      const file = steps(new Uint8Array(BigUint64Array.of(BigInt(length)).buffer), header, floats(3))
      expect(kindOf(file), `${length}`).toBe('safetensors')
      expect(readSafetensors(file).tensors[0]?.values[0]).toBe(3)
    }
  })
  const lfs = 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n'
  it.each([
    ['nothing', '', 'is empty (0 bytes)'],
    ['a pointer of Git LFS', lfs, 'is a pointer of Git LFS, not the file itself; fetch it: git lfs pull'],
    ['a web page', '\n<!DOCTYPE html><title>404</title>', 'is a web page, such as a server sends instead of a file'],
    ['an error of a server', '<?xml version="1.0"?><Error/>', 'is a web page'],
    ['words', 'Entry not found\nmore', "is text, 'Entry not found', not a file of weights"],
    ['JSON', '{"error": "not found"}', 'is JSON, but neither an index of weights'],
    ['an archive', tar({ 'a.pth': floats(1), b: floats(2) }), "is a tar archive of 'a.pth', 'b'; unpack it"],
    ['a packed archive', gzipSync(tar({ a: floats(1) })), "unpacked by gzip, it is a tar archive of 'a'; unpack it"],
    ['the oldest checkpoint', tar({ sys_info: floats(1), storages: floats(1), tensors: floats(1) }), 'before 0.1.10'],
    ['a zip of others', zipSync({ 'a.pth': floats(1) }), "is a zip of 'a.pth'; unpack it and name its file of weights"],
    ['xz', steps([0xfd], '7zXZ\0', new Uint8Array(9)), 'is compressed with xz; unpack it first'],
    ['HDF5', steps('\x89HDF\r\n', new Uint8Array(9)), 'is an HDF5 file, as Keras writes them, which is not read'],
    ['a picture', steps('\x89PNG\r\n', new Uint8Array(9)), 'is a PNG picture, not a file of weights'],
    ['a pickle of text', '(dp0\nVa\np1\nI1\ns.', 'is a pickle of protocol 0, which is not read'],
    [
      'one array',
      npy('<f4', [2], floats(1, 2)),
      'is one array of numpy without a name, <f4 [2]; save them by name, np.savez',
    ],
    ['a damaged gzip', gzipSync(FILES.npz).subarray(0, 600), 'is a damaged gzip file: unexpected EOF'],
    ['other bytes', steps([1, 2, 3, 255, 254, 0]), 'is damaged, or none of the files that are read'],
    ['no model', npz([]), 'f: '],
  ])('and called what it is: %s', async (_, file, message) => {
    for (const name of ['f.pth', 'f.safetensors', 'f.npz', 'f'])
      await expect(read(file, name)).rejects.toThrow(
        expect.objectContaining({ code: 'weights', message: expect.stringContaining(message.replace(/^f: /, '')) }),
      )
  })
  it('and a part of several that is none is named', async () => {
    const map = { weight_map: { a: 'x.safetensors', b: 'y.safetensors' } }
    const all = {
      'w/m.index.json': JSON.stringify(map),
      'w/x.safetensors': writeSafetensors(mixer),
      'w/y.safetensors': lfs,
    }
    const { parts } = await gatherWeights('w/m.index.json', memoryFiles(all))
    expect(() => contentsOfModel(parts, 'f')).toThrow('f, part 2 of 2: is a pointer of Git LFS')
  })
})

describe('what claims more than its bytes can mean', () => {
  it('is refused before it is unpacked', async () => {
    const zeros = new Uint8Array(64e6)
    await expect(read(zipSync({ 'a.npy': npy('<f4', [2], floats(1, 2)), 'b.npy': zeros }))).rejects.toThrow(
      /its tensors take more than 1\d\.\d MB, too much for a file of 0\.1 MB/,
    )
    await expect(read(gzipSync(steps(FILES.torch, zeros)))).rejects.toThrow('its tensors take more than')
  })
  it('shares its bytes', () => {
    const entry = { dtype: 'F32', shape: [2], data_offsets: [0, 8] }
    const header = JSON.stringify({ a: entry, b: entry })
    const file = steps(new Uint8Array(BigUint64Array.of(BigInt(header.length)).buffer), header, floats(1, 2))
    expect(() => readSafetensors(file, 'f')).toThrow("f: tensor 'b' shares its bytes with another one")
  })
})

describe('what is left out of a file is named', () => {
  it('in .npz: what is no number, and what is no array', async () => {
    const types = ['<U3', '|O', '<c8', '|V1', '<M8[D]', '<u4', '<f16', '|S3']
    const odd = types.map((type, i) => [`odd${i}.npy`, npy(type, [1], new Uint8Array(16))])
    const arrays = mixer.map((each) => [`${each.name}.npy`, npy('<f4', each.shape, bytesOf(each))])
    const { tensors, left } = await read(zipSync(Object.fromEntries([...arrays, ...odd, ['notes.txt', strToU8('x')]])))
    expect(tensors).toEqual(mixer)
    expect(left).toEqual([
      "tensors 'odd0', 'odd7' of type 'text' are not read",
      "tensor 'odd1' of type 'object' is not read",
      "tensor 'odd2' of type 'complex64' is not read",
      "tensor 'odd3' of type '|V1' is not read",
      "tensor 'odd4' of type 'datetime' is not read",
      "tensors 'odd5', 'odd6' of types '<u4', '<f16' are not read",
      "left out of the file: 'notes.txt'",
    ])
  })
  it.each(['odd.pt', 'odd-legacy.pt'])('in a checkpoint: %s', async (file) => {
    const { tensors, left } = await read(golden(`torch/${file}`))
    expect([tensors.map(({ name }) => name), left]).toEqual([
      ['a'],
      [
        "tensor 'sparse' of type 'sparse' is not read",
        "tensor 'quantised' of type 'QInt8Storage' is not read",
        "tensor 'complex' of type 'ComplexFloatStorage' is not read",
      ],
    ])
  })
  it.each([2, 4, 5])('in a plain pickle of numpy and PyTorch, which is read: protocol %s', async (protocol) => {
    const { tensors, left } = await read(golden(`torch/arrays-${protocol}.pkl`))
    expect(tensors.map(({ name, shape, values }) => [name, shape, [...values]])).toEqual([
      ['model.plain', [2, 3], [0, 1, 2, 3, 4, 5]],
      ['model.turned', [2, 3], [0, 1, 2, 3, 4, 5]],
      ['model.big', [3], [0, 1, 2]],
      ['tensor.t', [1], [1.5]],
    ])
    expect(left).toEqual(["left out of the file: 'step'", "tensor 'model.text' of type 'text' is not read"])
  })
  const loss = { name: 'loss.weight', shape: [2], values: Float32Array.of(1, 2) }
  it.each([
    ['safetensors', writeSafetensors],
    ['npz', npz],
    ['torch', (tensors: NamedTensor[]) => torch({ state_dict: tensors })],
  ] as const)('outside of a prefix: %s', async (_, write) => {
    const { tensors } = await read(write([...front('model.'), loss]))
    expect(tensors.filter(({ outside }) => outside)).toEqual([{ ...loss, outside: true }])
    const epoch = { name: 'epoch', shape: [], values: Float32Array.of(3) }
    const bare = await read(write([...mixer, loss, epoch]))
    expect(bare.tensors.flatMap(({ name, outside }) => (outside ? [name] : []))).toEqual(['loss.weight', 'epoch'])
    const two = write([...front('net.'), ...front('opt/0/mu/', mixer)])
    expect((await read(two)).left).toEqual([
      `left out of the file: what is behind 'opt/0/mu/' (${mixer.length} tensors)`,
    ])
  })
})

describe('one of several models', () => {
  const other = mixer.map((each) => ({ ...each, values: each.values.map((value) => value + 1) }))
  it.each([
    ['state_dict_ema', 'state_dict_ema'],
    ['state_dict_ema.', 'state_dict_ema'],
    ['ema', 'ema'],
    ['net', 'net'],
  ])('is taken by --prefix %s', async (prefix, name) => {
    const file = torch({ state_dict: mixer, [name]: other })
    const { tensors, left } = await read(file, 'f', prefix)
    expect(byName(tensors)).toEqual(byName(other))
    expect(left).toEqual([`left out of the file: what is behind 'state_dict.' (${mixer.length} tensors)`])
    await expect(read(file)).rejects.toThrow(`has 2 models, behind 'state_dict.', '${name}.'; it takes one (--prefix`)
    await expect(read(file, 'f', 'student')).rejects.toThrow("no first block behind the prefix 'student'")
  })
  it('is taken by the name of its dict where it is the only one, and by names that are not known', async () => {
    const only = torch({ state_dict: front('module.') })
    for (const prefix of ['state_dict', 'state_dict.', 'state_dict.module', 'module', undefined])
      expect((await read(only, 'f', prefix)).tensors, prefix).toEqual(mixer)
    const [a, b] = ['net.conv.weight', 'ema.conv.weight'].map((name) => ({
      name,
      shape: [1],
      values: Float32Array.of(1),
    }))
    const plain = await read(writeSafetensors([a, b] as NamedTensor[]), 'f', 'ema')
    expect([plain.tensors.map(({ name }) => name), plain.left]).toEqual([
      ['conv.weight'],
      ["left out of the file: 'net.conv.weight'"],
    ])
  })
})
