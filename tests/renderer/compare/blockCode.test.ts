import { expect, it } from 'vitest'
import { blockCode } from '../../../renderer/compare/blockCode.ts'

it('shows the source of a built-in block, and code of a cell as it is', () => {
  expect(blockCode('// built in: gmlp')).toMatch(/^\/\/ built in: gmlp\nimport \{/)
  expect(blockCode('// built in: conv_mixer')).toContain("export const convMixer = block('conv_mixer'")
  for (const code of ['// built in: gone', '// %% block\nconst a = 1\n']) expect(blockCode(code)).toBe(code)
})
