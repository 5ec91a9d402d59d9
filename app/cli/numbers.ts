import { MixlabError } from '../../engine/errors.ts'
import type { Arguments } from './command.ts'

/** The whole number that an option gives, if it is there. Throws MixlabError for anything below `least`. */
export function wholeNumber({ options }: Arguments, name: string, least: number): number | undefined {
  const text = options[name]
  if (text === undefined) return undefined
  const value = Number(text)
  if (!Number.isInteger(value) || value < least) {
    throw new MixlabError('option', `--${name}`, `'${text}', expected a whole number of at least ${least}`)
  }
  return value
}

/** `1234567` as `1,234,567`. */
export function grouped(value: number): string {
  return value.toLocaleString('en-US')
}

/** Seconds as `45 s`, `3 min 20 s`, `2 h 05 min`. */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  if (hours > 0) return `${hours} h ${String(minutes).padStart(2, '0')} min`
  return minutes > 0 ? `${minutes} min ${String(rest).padStart(2, '0')} s` : `${rest} s`
}
