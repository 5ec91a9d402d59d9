import { decode, ExtensionCodec, encode } from '@msgpack/msgpack'
import { createBirpc } from 'birpc'
import { type ErrorCode, MixlabError, messageOf } from './errors.ts'

/** Carries whole binary messages both ways: a WebSocket, a message port, or a pair in a test. */
export interface Channel {
  post(message: Uint8Array): void
  /** Called once, by the side that listens. */
  listen(receive: (message: Uint8Array) => void): void
}

/** What `connect` gives: the other side's functions, and a way to end the connection. */
export interface Connection<Remote extends object> {
  remote: Remote
  /** Rejects all pending calls with `reason`. */
  close(reason: string): void
}

/**
 * Joins two sides over a channel: offers the functions `local` and calls those of the other side. Arguments and results
 * are plain data and byte arrays; a MixlabError arrives as one. Only the own functions of `local` can be called.
 */
export function connect<Remote extends object, Local extends object = object>(
  local: Local,
  channel: Channel,
): Connection<Remote> {
  const offered: Local = Object.assign(Object.create(null), local)
  const rpc = createBirpc<Remote, Local>(offered, {
    post: (message: Uint8Array) => channel.post(message),
    on: (receive) => channel.listen(receive),
    serialize: (message: Message) => pack(packError(withoutMissing(message))),
    deserialize: (message: Uint8Array) => unpackError(unpack(message) as Message),
    timeout: -1, // a training step or a dialog may take as long as it likes; a lost connection rejects
  })
  return { remote: rpc as unknown as Remote, close: (reason) => rpc.$close(new MixlabError('backend', '', reason)) }
}

/** From here on an array of numbers crosses as the bytes of its float64s, which costs a small part of one by one. */
const PACKED_FROM = 16

const extensionCodec = new ExtensionCodec()
extensionCodec.register({
  type: 0,
  encode(value) {
    return isLong(value) ? new Uint8Array(Float64Array.from(value).buffer) : null
  },
  // A copy, because the bytes need not be aligned; by its constructor, because what Node calls a slice is none.
  decode: (bytes) => Array.from(new Float64Array(new Uint8Array(bytes).buffer)),
})

/** A value as bytes: what another thread has packed passes through a connection as it is, and arrives unpacked. */
export class Packed {
  readonly bytes: Uint8Array
  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }
}

extensionCodec.register({
  type: 1,
  encode: (value) => (value instanceof Packed ? value.bytes : null),
  decode: unpack,
})

/** Plain data as the bytes in which it crosses. */
export function pack(value: unknown): Uint8Array {
  return encode(value, { ignoreUndefined: true, extensionCodec })
}

/** The arguments of a call as the bytes in which they cross; those left out at the end stay left out. */
export function packArguments(given: unknown[]): Uint8Array {
  return pack(withoutMissing({ a: given }).a)
}

/** Plain data of its bytes. */
export function unpack(bytes: Uint8Array): unknown {
  return decode(bytes, { extensionCodec })
}

function isLong(value: unknown): value is number[] {
  if (!Array.isArray(value) || value.length < PACKED_FROM) return false
  for (const each of value) if (typeof each !== 'number') return false
  return true
}

/** A birpc message; `a` are the arguments of a call, `e` is the error of a failed one. */
type Message = { a?: unknown[]; e?: unknown }

/** Arguments left out at the end stay left out, so that defaults hold; on the way they would become null. */
function withoutMissing(message: Message): Message {
  const { a } = message
  return a ? { ...message, a: a.slice(0, a.findLastIndex((value) => value !== undefined) + 1) } : message
}

function packError(message: Message): Message {
  if (message.e === undefined) return message
  const known = message.e instanceof MixlabError ? message.e : null
  return { ...message, e: { code: known?.code ?? 'backend', path: known?.path ?? '', message: messageOf(message.e) } }
}

function unpackError(message: Message): Message {
  if (message.e === undefined) return message
  const { code, path, message: text } = message.e as { code: ErrorCode; path: string; message: string }
  return {
    ...message,
    e: new MixlabError(code, path, text.startsWith(`${path}: `) ? text.slice(path.length + 2) : text),
  }
}
