import { inflatedLength, inflatedStart } from '../../data/inflate.ts'
import { type Fail, MixlabError, messageOf, quoted } from '../../errors.ts'
import { checkMemory, mostMemory } from './convert.ts'
import { namesText } from './left.ts'

/** Formats that are known by the bytes of a file, whatever its name ends in. */
export type FileKind = 'safetensors' | 'zip' | 'pickle' | 'npy' | 'json' | 'onnx'

/** Longest header of a safetensors file that its format allows, in bytes. */
export const MAX_HEADER = 100_000_000

const bytesOf = (text: string) => [...text].map((letter) => letter.charCodeAt(0))
const has = (file: Uint8Array, bytes: readonly number[], at = 0) => bytes.every((byte, i) => file[at + i] === byte)

const [BRACE, GZIP] = ['{'.charCodeAt(0), [0x1f, 0x8b]]
/** An ONNX file begins with the version of its format. */
const IR_VERSION = 0x08

/** The format of a file; null where it is none that is read. A safetensors file may begin with any byte, so it comes first. */
export function kindOf(file: Uint8Array): FileKind | null {
  if (file[8] === BRACE && headerLength(file) <= MAX_HEADER) return 'safetensors'
  if (has(file, bytesOf('PK'))) return 'zip'
  if (file[0] === 0x80 && (file[1] ?? 0) >= 2 && (file[1] ?? 0) <= 5) return 'pickle'
  if (has(file, [0x93, ...bytesOf('NUMPY')])) return 'npy'
  if (/^[{[]/.test(textOf(file))) return 'json'
  return file[0] === IR_VERSION && (file[1] ?? 0xff) < 0x40 ? 'onnx' : null
}

/** What the first eight bytes of a safetensors file say. */
export const headerLength = (file: Uint8Array) =>
  Number(new DataView(file.buffer, file.byteOffset).getBigUint64(0, true))

/** Bytes of a file that are looked at to say what it is. */
const LOOKED_AT = 512

/** The beginning of a file as text, without what may stand in front of it. */
const textOf = (file: Uint8Array) => new TextDecoder().decode(file.subarray(0, LOOKED_AT)).trimStart()

/** What begins so is another format, in words. */
const OTHERS: [bytes: number[], what: string][] = [
  [bytesOf('\x89HDF'), 'is an HDF5 file, as Keras writes them, which is not read'],
  [bytesOf('GGUF'), 'is a GGUF file, which is not read'],
  [bytesOf('\x89PNG'), 'is a PNG picture, not a file of weights'],
  [[0xff, 0xd8, 0xff], 'is a JPEG picture, not a file of weights'],
  ...(
    [
      [[0xfd, ...bytesOf('7zXZ')], 'xz'],
      [bytesOf('BZh'), 'bzip2'],
      [[0x28, 0xb5, 0x2f, 0xfd], 'Zstandard'],
      [bytesOf('7z\xbc\xaf'), '7-Zip'],
      [bytesOf('Rar!'), 'RAR'],
    ] as const
  ).map(([bytes, name]): [number[], string] => [[...bytes], `is compressed with ${name}; unpack it first`]),
]
const PROTOCOL_0 = /^(?:\([dl]p\d|c[\w.]+\n\w+\n)/
const MARKUP = /^<[!?a-z]/i
/** Most bytes of a pointer of Git LFS. */
const POINTER_BYTES = 1024

/** That a file is only what Git LFS leaves in its place until it is fetched; null for any other. */
export function pointerText(file: Uint8Array): string | null {
  if (file.length >= POINTER_BYTES || !/^version https:\/\/git-lfs\.github\.com\//.test(textOf(file))) return null
  return 'is a pointer of Git LFS, not the file itself; fetch it: git lfs pull'
}

/** What a file is that is none of those which are read, as the end of a sentence about it. */
export function unknownText(file: Uint8Array): string {
  if (file.length === 0) return 'is empty (0 bytes)'
  const text = textOf(file)
  const pointer = pointerText(file)
  if (pointer) return pointer
  if (MARKUP.test(text)) return 'is a web page, such as a server sends instead of a file; download the file again'
  const other = OTHERS.find(([bytes]) => has(file, bytes))
  if (other) return other[1]
  if (has(file, bytesOf('ustar'), 257)) return tarText(file)
  if (PROTOCOL_0.test(text)) return 'is a pickle of protocol 0, which is not read; save it with protocol 2 or later'
  const [line = ''] = text.split('\n')
  if (/^[\t\r\n\x20-\x7e]+$/.test(text)) return `is text, ${quoted(line.slice(0, 60))}, not a file of weights`
  return `is damaged, or none of the files that are read: .safetensors, .npz, .onnx, a checkpoint of PyTorch`
}

/** Bytes of a block, and most names that are looked for. */
const [BLOCK, MOST_NAMES] = [512, 100]

/** What is in a tar archive, whose entries have a block in front of them with their names and sizes. */
function tarText(file: Uint8Array): string {
  const names: string[] = []
  const field = (at: number, length: number) => {
    const [text = ''] = new TextDecoder('latin1').decode(file.subarray(at, at + length)).split('\0')
    return text.trim()
  }
  for (let at = 0; names.length < MOST_NAMES && has(file, bytesOf('ustar'), at + 257); ) {
    if (/^[0\0]$/.test(String.fromCharCode(file[at + 156] ?? 1))) names.push(field(at, 100)) // a file
    at += BLOCK * (1 + Math.ceil((Number.parseInt(field(at + 124, 12), 8) || 0) / BLOCK))
  }
  if (names.includes('storages') && names.includes('tensors'))
    return 'is a checkpoint of PyTorch before 0.1.10; load it in PyTorch and save it again'
  return `is a tar archive${names.length > 0 ? ` of ${namesText(names)}` : ''}; unpack it and name its file of weights`
}

/** A file without the gzip around it. Throws what `fail` makes for a damaged one, and for one of too much memory. */
export function unpacked(file: Uint8Array, fail: Fail): Uint8Array {
  if (!has(file, GZIP) || kindOf(file) !== null) return file
  try {
    const start = inflatedStart('gzip', file, LOOKED_AT)
    if (kindOf(start) === null) throw fail(`unpacked by gzip, it ${unknownText(start)}`)
    const most = mostMemory(file.length)
    const length = inflatedLength('gzip', [file], most)
    checkMemory(length, file.length, fail)
    return inflatedStart('gzip', file, length)
  } catch (error) {
    throw error instanceof MixlabError ? error : fail(`is a damaged gzip file: ${messageOf(error)}`)
  }
}
