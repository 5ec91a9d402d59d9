import type { DefinitionCode } from '../../definitions.ts'
import type { Naming } from '../../notebook/closures/identity.ts'
import { definitionsOf } from '../design/definitionsOf.ts'
import { identityDigest } from '../design/identityDigest.ts'
import { BUILT_IN, type KeyedSpec } from '../key.ts'
import { measuredBy } from '../metrics.ts'
import type { OpenStudy, OpenVariant } from '../opened.ts'
import { legacyDigest } from './legacyDigest.ts'
import { digestBefore } from './wrongGradients.ts'

/** What keys said of code: its digests, as now, or before that the tokens of its cell. */
export type Era = 'digests' | 'tokens'

/** How the code of a variant entered its keys: what its spec has of model and metrics. */
export interface LegacyForm {
  era: Era
  /** By which gradients its runs were trained: those of now, or those from before they were corrected, or of any version. */
  gradients: 'now' | 'before' | 'any'
  model: NowSpec['model']
  metrics: NowSpec['metrics']
  definitions: NowSpec['definitions']
}

export type NowSpec = KeyedSpec & {
  model: { code: string; gradients?: number }
  metrics?: Record<string, DefinitionCode>
}

/** The page once had what cells import of tfjs under other names than Node: nothing in its bundle is called `default`. */
const inPage: Naming = (name) => name.replace('@tensorflow/tfjs.default.', '@tensorflow/tfjs.')

/**
 * The forms in which a variant may have entered keys, newest first, that of now among them: by what its code says where it
 * could not be recorded yet, with the names of Node or of the page, and as tokens with what it does, or without.
 */
export async function legacyForms(
  { study }: OpenStudy,
  variant: OpenVariant,
  { model, metrics, definitions }: NowSpec,
): Promise<LegacyForm[]> {
  const { digest: _, surrogates: __, ...unrecorded } = model
  const own = model.code !== BUILT_IN
  const paged = metrics && (await metricsIn(study, inPage))
  const said = async (naming?: Naming) => {
    const digest = await identityDigest(variant, unrecorded, naming)
    return digest === null ? unrecorded : { ...unrecorded, digest }
  }
  const before = own ? (await digestBefore(variant)).digest : null
  const older = definitions && (await definitionsOf(study, variant, true))
  const named = [
    { metrics, said: own ? await said() : null },
    { metrics: paged, said: own ? await said(inPage) : null },
  ]
  const digests: Omit<LegacyForm, 'era'>[] = [
    ...named.map(({ metrics }) => ({ model, metrics, definitions, gradients: 'now' as const })),
    ...named.map(({ metrics }) => ({
      ...{ model: before === null ? model : { ...model, digest: before }, metrics },
      ...{ definitions: older, gradients: 'before' as const },
    })),
    ...named.flatMap(({ metrics, said }) =>
      said ? [{ model: said, metrics, definitions: older, gradients: 'any' as const }] : [],
    ),
  ]
  const { opened, block, size } = variant
  const does = own ? await legacyDigest(opened.model(block, size), opened.input) : null
  const codes = metrics && codesOf(metrics)
  const tokens = [...(does ? [{ ...unrecorded, does }] : []), unrecorded]
  return [
    ...digests.map((form) => ({ ...form, era: 'digests' as const })),
    ...tokens.map((model) => ({
      ...{ era: 'tokens' as const, model, metrics: codes },
      ...{ definitions: older, gradients: 'any' as const },
    })),
  ]
}

async function metricsIn(study: OpenStudy['study'], naming: Naming): Promise<Record<string, DefinitionCode>> {
  const codes: Record<string, DefinitionCode> = {}
  for (const metric of study.spec.metrics ?? []) codes[metric.name] = await measuredBy(metric, study, naming)
  return codes
}

function codesOf(metrics: Record<string, DefinitionCode>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(metrics).map(([name, each]) => [name, typeof each === 'string' ? each : each.code]),
  )
}
