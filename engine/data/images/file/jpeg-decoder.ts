import { unzlibSync } from 'fflate'
import { bytesOfBase64 } from '../../base64.ts'
import type { Image } from '../resize.ts'
import { jpegHeader } from './jpeg-file.ts'
import { libjpeg } from './libjpeg.ts'

/** What the module exports, of the TurboJPEG API; addresses are bytes. */
interface Exports {
  memory: { buffer: ArrayBuffer }
  /** 0 where there is no memory left. */
  malloc(bytes: number): number
  tjInitDecompress(): number
  /** All of the picture, `rowBytes` a row; -1 after a warning or an error. */
  tjDecompress2(
    ...numbers: [
      ...[decoder: number, file: number, length: number, pixels: number],
      ...[width: number, rowBytes: number, height: number, format: number, flags: number],
    ]
  ): number
  tjDestroy(decoder: number): number
  free(address: number): void
}

/** Formats of pixels by components: grey, RGB, CMYK. */
const FORMATS = { 1: 6, 3: 0, 4: 11 }
/** Calls `longjmp` at each warning. */
const STOP_ON_WARNING = 8192
/** Bytes of the state of errors before what `longjmp` gets, and the place of the code in it; jpeglib.h. */
const [ERROR_BYTES, ERROR_CODE] = [132, 20]

/** Codes of warnings that leave all pixels as they were written: jerror.h. */
const HARMLESS = [
  114, // an unknown transform in the Adobe marker
  116, // bytes that belong to nothing before a marker
  119, // an unknown revision of JFIF
  122, // parameters of a progressive scan in another
  125, // a damaged profile
]
/** No marker at the end; and no data where some should be. */
const [NO_END, NO_DATA] = [120, 117]

/** The memory of the decoder never shrinks: one with more is given up after its picture. */
const KEPT_BYTES = 2 ** 25

let compiled: WebAssembly.Module | null = null
let decoder: Exports | null = null
/** Decides on a warning or an error of the decoder, by its code: throws, or returns where decoding can go on. */
let onCode: (code: number) => void = () => {}

/**
 * The pixels of a JPEG file: grey with 1 channel, YCbCr and RGB with 3, CMYK and YCCK as RGB. They are those of libjpeg,
 * to the bit. Throws an Error, also for files of which data are missing or damaged.
 */
export function decodeJpeg(file: Uint8Array): Image {
  const { width, height, components, progressive, scans } = jpegHeader(file)
  let ended = false
  onCode = (code) => {
    if (code === NO_END && scans === 1 && !progressive) ended = true
    else if (code === NO_END || (code === NO_DATA && ended)) throw new Error('ends within its pixels')
    else if (!HARMLESS.includes(code)) throw new Error('damaged JPEG data')
  }
  const own = decoder ?? started()
  decoder = null // where it fails
  const bytes = width * height * components
  const [input, output, state] = [own.malloc(file.length), own.malloc(bytes), own.tjInitDecompress()]
  if (input === 0 || output === 0 || state === 0) throw new Error(`no memory for ${width}x${height} pixels`)
  new Uint8Array(own.memory.buffer).set(file, input)
  const format = FORMATS[components]
  own.tjDecompress2(
    ...([state, input, file.length, output, width, width * components, height, format, STOP_ON_WARNING] as const),
  )
  const pixels = new Uint8Array(own.memory.buffer, output, bytes)
  const image =
    components === 4 ? fromCmyk(pixels, width, height) : { width, height, channels: components, pixels: pixels.slice() }
  own.free(input)
  own.free(output)
  own.tjDestroy(state)
  if (own.memory.buffer.byteLength <= KEPT_BYTES) decoder = own
  return image
}

/** Ink is kept as what it leaves, by the custom of Adobe: 255 is none. */
function fromCmyk(inks: Uint8Array, width: number, height: number): Image {
  const pixels = new Uint8Array(width * height * 3)
  for (let from = 0, to = 0; from < inks.length; from += 4) {
    for (let c = 0; c < 3; c++) pixels[to++] = Math.round(((inks[from + c] ?? 0) * (inks[from + 3] ?? 0)) / 255)
  }
  return { width, height, channels: 3, pixels }
}

function started(): Exports {
  compiled ??= new WebAssembly.Module(unzlibSync(bytesOfBase64(libjpeg)))
  const none = () => 0
  const longjmp = (state: number) => {
    const view = new DataView(own.memory.buffer)
    onCode(view.getInt32(state - ERROR_BYTES + ERROR_CODE, true))
  }
  const system = ['proc_exit', 'environ_sizes_get', 'environ_get', 'fd_close', 'fd_seek', 'fd_write']
  const instance = new WebAssembly.Instance(compiled, {
    env: { setjmp: none, longjmp },
    wasi_snapshot_preview1: Object.fromEntries(system.map((name) => [name, none])),
  })
  const own = instance.exports as unknown as Exports
  return own
}
