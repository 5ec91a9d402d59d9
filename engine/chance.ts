import { MixlabError } from './errors.ts'

/** Says that code which decides the numbers of a run gives other numbers each time it runs. */
export class Unrepeatable extends MixlabError {
  constructor(what: string) {
    super('option', '', what)
  }
}

type Callable = (...given: unknown[]) => unknown
type Owner = Record<string, unknown>

/** The functions that other numbers come from each time. Those of tfjs call the first one where they have no seed. */
const DRAWS = ['Math.random', 'crypto.getRandomValues', 'crypto.randomUUID']
const TODAY = ['instant', 'plainDateISO', 'plainDateTimeISO', 'plainTimeISO', 'zonedDateTimeISO']
const CLOCKS = ['Date.now', 'performance.now', 'process.hrtime', ...TODAY.map((name) => `Temporal.Now.${name}`)]

/** What to write instead, while such calls are refused. */
let advice: { text: string | undefined } | null = null

/**
 * Runs code that has to give the same numbers whenever it gets the same ones. Meanwhile Math.random() and its like, and
 * clocks that a cell reads, throw Unrepeatable. `instead` says what to write; by default that is said for a block. Not for
 * asynchronous code.
 */
export function withoutChance<Result>(run: () => Result, instead?: string): Result {
  const outer = advice
  advice = { text: instead ?? outer?.text }
  const restore = outer ? [] : [...[...DRAWS, ...CLOCKS].map(refuse), refuseDates()]
  try {
    return run()
  } finally {
    advice = outer
    for (const each of restore) each()
  }
}

/** Puts a function that throws in place of one; what it returns puts the original back. */
function refuse(name: string): () => void {
  const method = name.split('.').at(-1) as string
  const owner = name.split('.').slice(0, -1).join('.')
  const whole = owner
    .split('.')
    .reduce<Owner | undefined>((at, part) => at?.[part] as Owner | undefined, globalThis as never)
  const original = whole?.[method]
  if (!whole || typeof original !== 'function') return () => {}
  const own = Object.getOwnPropertyDescriptor(whole, method)
  const isClock = CLOCKS.includes(name)
  const value: Callable = (...given) => {
    if (isClock && !isCalledByCell()) return Reflect.apply(original, whole, given) // tfjs times its kernels
    throw isClock ? clockRefusal(`${name}()`) : drawRefusal(`${name}()`)
  }
  Object.defineProperty(whole, method, { value: Object.assign(value, original), configurable: true, writable: true })
  return () => {
    if (own) Object.defineProperty(whole, method, own)
    else delete whole[method]
  }
}

/** The same for `new Date()` and `Date()`; a date that is made of numbers is always the same. */
function refuseDates(): () => void {
  const original = Date
  globalThis.Date = new Proxy(original, {
    apply: (target, as, given) => {
      if (isCalledByCell()) throw clockRefusal('Date()')
      return Reflect.apply(target, as, given)
    },
    construct: (target, given, as) => {
      if (given.length === 0 && isCalledByCell()) throw clockRefusal('new Date()')
      return Reflect.construct(target, given, as)
    },
  })
  return () => {
    globalThis.Date = original
  }
}

/** What may stand between a line of a cell and a clock: functions of the language, such as those of lists, and `tf.util.now`. */
const BETWEEN = /\(<anonymous>\)$|\(native\)$|^\s+at (\S+\.)?now \(/

/** Whether a line of a cell has called the function that asks. */
function isCalledByCell(): boolean {
  const callers = String(new Error('here').stack).split('\n').slice(3)
  return callers.find((caller) => !BETWEEN.test(caller))?.includes('mixlab:cell/') ?? false
}

function clockRefusal(name: string): Unrepeatable {
  return new Unrepeatable(`${name} differs in every run; leave the time out of what decides a result`)
}

const NORMAL = ['randomNormal', 'randomStandardNormal', 'truncatedNormal', 'randomGamma']

function drawRefusal(name: string): Unrepeatable {
  // operations of tfjs are called `randomNormal__op`
  const [within = ''] = String(new Error('here').stack).split('mixlab:cell/')
  const operation = [...within.matchAll(/\b([A-Za-z]\w*?)__op\b/g)].at(-1)?.[1]
  const named = operation ? `tf.${operation}` : name
  return new Unrepeatable(`${named} draws other numbers in every run; ${advice?.text ?? insteadInBlock(operation)}`)
}

function insteadInBlock(operation: string | undefined): string {
  if (operation === 'dropout') return "use dropout(x, rate) from 'mixlab', which draws by the seed of the run"
  const call = NORMAL.includes(operation ?? '') ? 'random.normal' : 'random.uniform'
  return `use ${call}('noise', shape) from 'mixlab', which draws by the seed of the run`
}
