import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire'

/** What a field of a message may hold beside other messages. */
interface Scalars {
  string: string
  bytes: Uint8Array
  int32: number
  int64: bigint
  float: number
}

const WIRES: Record<keyof Scalars, WireType> = {
  string: WireType.LengthDelimited,
  bytes: WireType.LengthDelimited,
  int32: WireType.Varint,
  int64: WireType.Varint,
  float: WireType.Bit32,
}

type Kind = keyof Scalars | Schema

export interface Field<Of extends Kind = Kind, Many extends boolean = boolean> {
  number: number
  of: Of
  many: Many
}

/** The fields of a message by name, in the order of their numbers. */
export interface Schema {
  [name: string]: Field
}

type Held<Of extends Kind> = Of extends keyof Scalars ? Scalars[Of] : Of extends Schema ? Message<Of> : never

/** A message: what of its fields is there. */
export type Message<Fields extends Schema> = {
  [Name in keyof Fields]?: Fields[Name] extends Field<infer Of, infer Many>
    ? Many extends true
      ? Held<Of>[]
      : Held<Of>
    : never
}

/** A field with one value. */
export const one = <Of extends Kind>(number: number, of: Of): Field<Of, false> => ({ number, of, many: false })

/** A field with several values, each written by itself. */
export const many = <Of extends Kind>(number: number, of: Of): Field<Of, true> => ({ number, of, many: true })

/** The bytes of a message. */
export function encode<Fields extends Schema>(schema: Fields, message: Message<Fields>): Uint8Array<ArrayBuffer> {
  const writer = new BinaryWriter()
  write(writer, schema, message)
  return writer.finish()
}

function write(writer: BinaryWriter, schema: Schema, message: Record<string, unknown>): void {
  for (const [name, { number, of, many }] of Object.entries(schema)) {
    const value = message[name]
    if (value === undefined) continue
    for (const each of many ? (value as unknown[]) : [value]) {
      if (typeof of === 'string') {
        writer.tag(number, WIRES[of])[of](each as never)
      } else {
        writer.tag(number, WireType.LengthDelimited).fork()
        write(writer, of, each as Record<string, unknown>)
        writer.join()
      }
    }
  }
}

/** The message that bytes are, without fields that its schema does not have. Throws for bytes that are none. */
export function decode<Fields extends Schema>(schema: Fields, bytes: Uint8Array): Message<Fields> {
  return read(new BinaryReader(bytes), schema, bytes.length, {}) as Message<Fields>
}

/** Adds the fields of the next bytes to a message: where a field comes again, its last value counts, and messages are merged. */
function read(reader: BinaryReader, schema: Schema, length: number, message: Record<string, unknown>): object {
  const end = reader.pos + length
  while (reader.pos < end) {
    const [number, wire] = reader.tag()
    const [name, field] = Object.entries(schema).find(([, field]) => field.number === number) ?? []
    if (name === undefined || field === undefined) {
      reader.skip(wire, number)
      continue
    }
    const { of } = field
    const next = (known: unknown) =>
      typeof of === 'string' ? reader[of]() : read(reader, of, reader.uint32(), { ...(known as object | undefined) })
    if (!field.many) {
      message[name] = next(message[name])
      continue
    }
    message[name] ??= []
    const values = message[name] as unknown[]
    const isPacked = wire === WireType.LengthDelimited && typeof of === 'string' && WIRES[of] !== wire
    const last = isPacked ? reader.uint32() + reader.pos : reader.pos + 1
    while (reader.pos < last) values.push(next(undefined))
  }
  return message
}
