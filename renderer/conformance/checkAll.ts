import { messageOf } from '../../engine/errors.ts'
import type { CaseResult } from '../protocol/kernel.ts'
import { bytesOf, type ReferenceCase } from '../session/kernel/cases.ts'
import { runningKernel } from '../session/kernel/control.ts'

/** Compares cases one after the other in the kernel, on its backend. A case that cannot be compared says why. */
export async function* checkAll(cases: readonly ReferenceCase[]): AsyncGenerator<CaseResult> {
  for (const each of cases) {
    try {
      const kernel = await runningKernel()
      yield await kernel.conformance(each.name, await bytesOf(each))
    } catch (error) {
      yield { case: each.name, passed: false, checks: 0, worst: null, why: messageOf(error) }
    }
  }
}
