// Numbers as whole numbers from 0 to 65535, of which few differ, so that they take few bits.

/** Stands for what is not a number. */
const NOT_A_NUMBER = 65_535

interface Code {
  encode(value: number): number
  decode(code: number): number
}

const clamp = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value))

function code(encode: (value: number) => number, decode: (code: number) => number): Code {
  return {
    encode: (value) => (Number.isNaN(value) ? NOT_A_NUMBER : encode(value)),
    decode: (code) => (code === NOT_A_NUMBER ? Number.NaN : decode(code)),
  }
}

/** Steps of a unit of log-odds, and the farthest from 0 that is told apart. */
const [ODDS_STEPS, MOST_ODDS] = [32, 16]

/** Probabilities by their log-odds: at one half the error is 0.4% at most, and far less near 0 and 1. */
export const probability = code(
  (value) => Math.round((clamp(Math.log(value / (1 - value)), -MOST_ODDS, MOST_ODDS) + MOST_ODDS) * ODDS_STEPS),
  (code) => 1 / (1 + Math.exp(MOST_ODDS - code / ODDS_STEPS)),
)

/** Steps of a doubling, and how often 1 is halved or doubled. */
const [LOG_STEPS, MOST_LOG] = [64, 32]

/** Numbers of 0 and more, infinity too, with a relative error of 0.6% at most. */
export const magnitude = code(
  (value) => (value <= 0 ? 0 : 1 + Math.round((clamp(Math.log2(value), -MOST_LOG, MOST_LOG) + MOST_LOG) * LOG_STEPS)),
  (code) => (code === 0 ? 0 : 2 ** ((code - 1) / LOG_STEPS - MOST_LOG)),
)

/** Shares from 0 to 1, to a thousandth. */
export const share = code(
  (value) => Math.round(clamp(value, 0, 1) * 1000),
  (code) => code / 1000,
)

/** Whole numbers from -1 on; those that are too large become -1. */
export const whole = code(
  (value) => (value < -1 || value + 1 >= NOT_A_NUMBER ? 0 : value + 1),
  (code) => code - 1,
)

/** Levels between two bounds. */
const LEVELS = 4095

/** Numbers from `low` to `high`, to a 4095th of what lies between. */
export const between = (low: number, high: number): Code =>
  code(
    (value) => Math.round((clamp(value, low, high) - low) * (LEVELS / (high - low || 1))),
    (code) => low + (code * (high - low)) / LEVELS,
  )
