import type { TriedValue } from './tune.ts'

/** What the study is called whose runs choose the values of another one. */
export function tuningName(study: string): string {
  return `${study}, tuning`
}

/** What a variant of that study is called. */
export function tunedName(variant: string, { name }: TriedValue): string {
  return `${variant}, ${name}`
}
