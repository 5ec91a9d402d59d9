import { vi } from 'vitest'

// Node has no workers of a page: what they read is read here.
vi.mock('../renderer/analysis/start.ts', async () => {
  const { analysisCalls } = await import('../renderer/analysis/calls.ts')
  return { startAnalysis: () => ({ calls: analysisCalls(() => {}), end() {} }) }
})
