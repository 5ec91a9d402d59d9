import { z } from 'zod'
import { MixlabError } from './errors.ts'
import { parseOptions } from './options.ts'

type Signature = (...given: never[]) => unknown

/** A call between two sides, declared: what it takes and whether it may be made twice. */
export interface Call<Declared extends Signature = Signature> {
  /** Its arguments in their order, each by its name. */
  takes: [name: string, schema: z.ZodType][]
  /** Whether it can be repeated when it is unknown whether it was made: made twice, it does the same as once. */
  repeatable(given: unknown[]): boolean
  /** For the compiler alone. */
  declared?: Declared
}

export type CallTable = Record<string, Call>

type DeclaredBy<Each> = Each extends Call<infer Declared> ? Declared : never

/** The calls of a table as functions, which answer by promises. */
export type Calls<Table extends CallTable> = {
  [Name in keyof Table]: (...given: Parameters<DeclaredBy<Table[Name]>>) => Promise<ReturnType<DeclaredBy<Table[Name]>>>
}

/** Functions that do what the calls of a table say, at once or later; `First` is given to each before the rest. */
export type Implementation<Table extends CallTable, First extends unknown[] = []> = {
  [Name in keyof Table]: (
    ...given: [...First, ...Parameters<DeclaredBy<Table[Name]>>]
  ) => ReturnType<DeclaredBy<Table[Name]>> | Promise<ReturnType<DeclaredBy<Table[Name]>>>
}

/** A schema for each argument, as an object of its name. */
type Schemas<Given extends unknown[]> = { [Place in keyof Given]-?: Record<string, z.ZodType<Given[Place]>> }

/** Declares a call that changes nothing. */
export function reads<Declared extends Signature>(...takes: Schemas<Parameters<Declared>>): Call<Declared> {
  return { takes: takes.flatMap(Object.entries<z.ZodType>), repeatable: () => true }
}

/** Declares a call that changes something. */
export function writes<Declared extends Signature>(...takes: Schemas<Parameters<Declared>>): Call<Declared> {
  return { ...reads<Declared>(...takes), repeatable: () => false }
}

/** The same call, which can be made again though it changes something; where that depends on what is given, if `where` holds. */
export function repeatable<Declared extends Signature>(
  call: Call<Declared>,
  where: (given: unknown[]) => boolean = () => true,
): Call<Declared> {
  return { ...call, repeatable: where }
}

/** Throws MixlabError `option`, with the path `call.argument`, unless a call takes what is given. */
export function checkArguments(table: CallTable, name: string, given: unknown[]): void {
  const { takes = [] } = table[name] ?? {}
  if (given.length > takes.length) {
    throw new MixlabError('option', name, `${given.length} arguments, expected at most ${takes.length}`)
  }
  for (const [place, [argument, schema]] of takes.entries()) parseOptions(schema, given[place], `${name}.${argument}`)
}

/** The calls of a table, all made in one way. */
export function callsOf<Table extends CallTable>(
  table: Table,
  make: (name: keyof Table & string, given: unknown[]) => unknown,
): Calls<Table> {
  const calls = Object.keys(table).map((name) => [name, async (...given: unknown[]) => make(name, given)])
  return Object.fromEntries(calls) as Calls<Table>
}

/** Calls a function by its name. */
export function callByName(functions: Record<string, Signature>, name: string, given: unknown[]): unknown {
  const named = functions[name] as (...given: unknown[]) => unknown
  return named(...given)
}

/** More than any argument has: characters of a text, and entries of a list. */
const MAX_TEXT_LENGTH = 2 ** 24
const MAX_LIST_LENGTH = 2 ** 20
/** Characters of a name: of a study, a variant, a metric or a tensor. */
export const MAX_NAME_LENGTH = 4000

/** Shapes that many arguments have. */
export const text = z.string().max(MAX_TEXT_LENGTH)
export const name = z.string().max(MAX_NAME_LENGTH)
export const list = <Each>(each: z.ZodType<Each>) => z.array(each).max(MAX_LIST_LENGTH)
export const texts = list(text)
export const whole = z.int()
export const count = z.int().min(0)
/** Any number, also one that is not finite. */
export const number = z.custom<number>((value) => typeof value === 'number', 'a number')
export const byteArray = z.instanceof(Uint8Array)
/** Data whose shape belongs to others. */
export const plain = <Shape extends object>() =>
  z.custom<Shape>((value) => typeof value === 'object' && value !== null, 'an object')
