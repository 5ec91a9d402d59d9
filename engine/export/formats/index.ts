import { MixlabError, suggest } from '../../errors.ts'
import { demo } from './demo.ts'
import { type FormatName, isFormat } from './known.ts'
import { npz } from './npz.ts'
import { onnx } from './onnx.ts'
import { safetensors } from './safetensors.ts'
import { tfjs } from './tfjs.ts'
import { torch } from './torch.ts'
import type { Format } from './types.ts'

/** The formats that models are written in. A new one is one file, its facts in known.ts, and its name here. */
export const formats: Record<FormatName, Format> = { safetensors, npz, onnx, tfjs, torch, demo }

export type { FormatName }

/** The format called `name`. Throws MixlabError `option` for an unknown one. */
export function formatOf(name: string): FormatName {
  if (isFormat(name)) return name
  throw new MixlabError('option', '--format', `unknown format '${name}'${suggest(name, Object.keys(formats))}`)
}

/**
 * The format whose files end as a path does, which has to be the one that is asked for, if any. Throws MixlabError `option`
 * for another ending.
 */
export function formatFor(path: string, asked: FormatName | null = null): FormatName {
  const found = Object.entries(formats).find(([, { ending }]) => path.toLowerCase().endsWith(ending))
  if (found && (asked === null || asked === found[0])) return found[0] as FormatName
  const endings = Object.entries(formats).flatMap(([name, { ending }]) =>
    asked === null || asked === name ? [`${ending} (${name})`] : [],
  )
  throw new MixlabError('option', '--output', `'${path}', expected a path that ends in ${endings.join(', ')}`)
}
