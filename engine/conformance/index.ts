import { MixlabError, messageOf, suggest } from '../errors.ts'
import { type Case, readCase } from './case.ts'
import type { Check } from './check.ts'
import { checkModel } from './model.ts'
import { checkOperator } from './operator.ts'
import { checkOptimizer } from './optimizer.ts'

/** What is compared, by the entry `kind` of a case's metadata. */
const kinds: Record<string, (golden: Case) => Promise<Check[]>> = {
  model: checkModel,
  optimizer: checkOptimizer,
  op: checkOperator,
}

/** The comparison of one reference case. */
export interface Conformance {
  case: string
  architecture: string
  passed: boolean
  /** The check that is closest to its tolerance, or furthest beyond. */
  worst: Check
  checks: Check[]
}

/**
 * Compares a reference case, the bytes of a safetensors file, on the current backend. Rejects with MixlabError `weights`
 * for a file that is no case, for one with a key that nothing reads, or for a model that cannot be built from it.
 */
export async function checkConformance(file: Uint8Array, name: string): Promise<Conformance> {
  const golden = readCase(file, name)
  const check = kinds[golden.kind]
  if (!check) {
    throw new MixlabError('weights', name, `unknown kind '${golden.kind}'${suggest(golden.kind, Object.keys(kinds))}`)
  }
  const checks = await check(golden).catch((error: unknown) => {
    const message = messageOf(error)
    throw message.startsWith(name) ? error : new MixlabError('weights', name, message)
  })
  const share = ({ error, tolerance }: Check) =>
    tolerance === 0 ? (error === 0 ? 0 : Number.POSITIVE_INFINITY) : error / tolerance
  const [worst] = [...checks].sort((a, b) => share(b) - share(a))
  if (!worst) throw new MixlabError('weights', name, 'nothing to compare')
  const passed = checks.every(({ error, tolerance }) => error <= tolerance)
  return { case: name, architecture: golden.metadata.architecture ?? '', passed, worst, checks }
}
