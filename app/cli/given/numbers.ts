import { MixlabError } from '../../../engine/errors.ts'
import type { Arguments } from '../command.ts'

/** The whole number that an option gives, if it is there. Throws MixlabError for anything below `least`. */
export function wholeNumber({ options }: Arguments, name: string, least: number): number | undefined {
  const text = options[name]
  if (text === undefined) return undefined
  const value = String(text).trim() === '' ? Number.NaN : Number(text)
  if (!Number.isInteger(value) || value < least) {
    throw new MixlabError('option', `--${name}`, `'${text}', expected a whole number of at least ${least}`)
  }
  return value
}

/** `1234567` as `1,234,567`. */
export function grouped(value: number): string {
  return value.toLocaleString('en-US')
}

/** `1234567` bytes as `1.2 MB`. */
export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toLocaleString('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 })} MB`
}
