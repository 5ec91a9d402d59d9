import { remember, remembered } from '../../ui/remembered.ts'
import { bytesOf, CASES } from './cases.ts'

const KEY = 'mixlab.selfTests'
/** Small cases of each kind. */
const SELF_TEST = ['gmlp_timm_small', 'vit_timm_small', 'bert_small', 'op_batchnorm_train', 'optim_adamw']

/** What came out of the test of an adapter, which is named with the versions of browser and program; null for none yet. */
export async function selfTested(adapter: string): Promise<{ why: string | null } | null> {
  const known = all()
  return Object.hasOwn(known, adapter) ? { why: known[adapter] ?? null } : null
}

/** Keeps what came out: why an adapter failed, or null. */
export async function noteSelfTest(adapter: string, why: string | null): Promise<void> {
  remember(KEY, { ...all(), [adapter]: why })
}

export async function selfTestCases(): Promise<{ name: string; file: Uint8Array }[]> {
  const wanted = CASES.filter(({ name }) => SELF_TEST.includes(name))
  return Promise.all(wanted.map(async (each) => ({ name: each.name, file: await bytesOf(each) })))
}

function all(): Record<string, string | null> {
  const kept = remembered(KEY)
  return typeof kept === 'object' && kept !== null ? (kept as Record<string, string | null>) : {}
}
