import type { Kernel } from '../../../renderer/session/kernel/client.ts'

const unasked = () => Promise.reject(new Error('not asked for'))

/** What tests of a session do not ask of a kernel. */
export const UNASKED = {
  ...{ answer: unasked, explain: unasked, ablate: unasked, measure: unasked, lookAtData: unasked, examples: unasked },
  conformance: async (name: string) => ({ case: name, passed: true, checks: 1, worst: null }),
  ping: async () => ({ tensors: 0, bytes: 0 }),
} satisfies Partial<Kernel>
