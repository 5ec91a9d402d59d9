import { isShare, type MetricMeaning } from '../../../records/meaning.ts'
import { digitsFor, plural, signedText } from '../seeds.ts'
import type { Judgement, Looks, Saying } from '../types.ts'
import { ENOUGH } from './evidence.ts'

/** What looks at numbers of `seeds` seeds have shown, and what is known of them. */
interface Looked extends Judgement {
  meaning: MetricMeaning
  seeds: number
  looks: Looks
  say?: Saying | undefined
}

/**
 * What is claimed with which evidence, or how far it is from that:
 * `better on 9 of 10 seeds (evidence 24 to 1, decided with seed 10; median difference 1.8 points, ...)`.
 */
export function lookedText(looked: Looked): string[] {
  const { claim, meaning, difference, wins, ties, losses, seeds, looks, say } = looked
  const of = `of ${plural(seeds, 'seed')}`
  const { more, less } = say ?? { more: 'better', less: 'worse' }
  const { evidence, decidedWith, reachable, plan, path } = looks
  if (decidedWith !== null && claim !== 'open') {
    const up = claim === 'different' ? wins >= losses : claim === 'better'
    const said = claim === 'different' && !say ? `differs: ${up ? 'higher' : 'lower'}` : up ? more : less
    const how = difference === null ? [] : [amountOf(looked), 'an estimate after stopping is too large']
    const why = [`evidence ${ratio(evidence)}, decided with seed ${decidedWith}`, ...how].join('; ')
    return [`${said} on ${up ? wins : losses} ${of} (${why})`]
  }
  const equal = ties > 0 ? `, equal on ${ties}` : ''
  const way = meaning.better ? 'better' : say ? 'above 0' : 'higher'
  const last = path.at(-1)?.seed
  const when = seeds < plan ? `after seed ${last} of at most ${plan}` : `after all ${plan} seeds`
  const how = difference === null ? [] : [amountOf(looked)]
  const why = [`evidence ${ratio(evidence)} ${when}, ${ENOUGH} to 1 decides`, ...how].join('; ')
  const end = seeds < plan && !reachable ? ['the seeds that are left cannot decide it'] : []
  return [`${say?.none ?? 'no difference shown'}: ${way} on ${wins}${equal} ${of} (${why})`, ...end]
}

/** `24 to 1`, `1.3 to 1`: rounded down, so that nothing below 20 is called 20. */
export function ratio(evidence: number): string {
  if (evidence > 1e6) return 'over 1000000 to 1'
  const digits = evidence < 10 ? 10 : 1
  return `${Math.floor(evidence * digits * (1 + 1e-12)) / digits} to 1`
}

/** `median difference 1.8 points, confidence sequence 0.4 to 3.1`: with a claim how much it is of what is said. */
function amountOf({ claim, meaning, difference, interval, say }: Looked): string {
  const points = isShare(meaning)
  const scale = points ? 100 : 1
  const claimed = claim === 'better' || claim === 'worse' || (claim === 'different' && say !== undefined)
  const flip = claimed && !say?.signed && (difference ?? 0) < 0 ? -1 : 1
  const ends = interval && [interval.low, interval.high].map((end) => end * flip * scale).sort((a, b) => a - b)
  const [low = 0, high = 0] = ends ?? []
  const median = (difference ?? 0) * flip * scale
  const width = [(high - low) / 2, Math.abs(median)].find((each) => each > 0 && Number.isFinite(each)) ?? 0
  const digits = Math.max(points ? 1 : 0, digitsFor(width))
  const text = (value: number, signed = false) =>
    !Number.isFinite(value)
      ? `${value < 0 ? 'minus ' : ''}infinity`
      : signed
        ? signedText(value, digits)
        : value.toFixed(digits)
  const side = claimed && !say ? ` (${(difference ?? 0) < 0 ? 'lower' : 'higher'})` : ''
  const way = !claimed && meaning.better ? ` (${meaning.better} is better)` : side
  const amount = `median ${say?.mean ?? 'difference'} ${text(median, !claimed)}${points ? ' points' : way}${say?.per ?? ''}`
  return ends ? `${amount}, confidence sequence ${text(low)} to ${text(high)}` : amount
}
