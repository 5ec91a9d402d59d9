import { describe, expect, it } from 'vitest'
import { expectedNumerics, type StudyResult, withExpected } from '../../../app/experiments/expected.ts'
import { NUMERICS } from '../../../engine/records/numerics.ts'

const notebook = '// %% [markdown] question\n// # Which?\n\n// %% study\nconst a = 1\n'
const result: StudyResult = {
  study: 'gates',
  metric: 'test/perplexity',
  rows: [
    { variant: 'a', n: 3, mean: 5.7712, sd: 0.0312 },
    { variant: 'b', n: 1, mean: 6, sd: null },
    { variant: 'c', n: 0, mean: null, sd: null },
  ],
  verdicts: [{ variant: 'b', baseline: 'a', sentence: 'too few seeds' }],
}
const cell = `// %% [markdown] expected
// Expected, on simd with numerics ${NUMERICS}:
//
// | gates | test/perplexity, mean ± sd | seeds | |
// | --- | --- | --- | --- |
// | a | 5.77 ± 0.03 | 3 |  |
// | b | 6.00 | 1 | against a: too few seeds |
// | c | – | 0 |  |
`

describe('withExpected', () => {
  it('writes what came out after the question, and leaves the rest as it is', () => {
    expect(withExpected(notebook, [result])).toBe(notebook.replace('\n// %% study', `\n${cell}\n// %% study`))
  })

  it('writes over what it has written before', () => {
    const before = withExpected(notebook, [{ ...result, study: 'another' }])
    expect(withExpected(before, [result])).toBe(withExpected(notebook, [result]))
  })
})

describe('expectedNumerics', () => {
  it('is what the results were trained with, and null where there are none', () => {
    expect(expectedNumerics(withExpected(notebook, [result]))).toBe(NUMERICS)
    expect(expectedNumerics(notebook.replace('Which?', `Expected, on simd with numerics ${NUMERICS}:`))).toBeNull()
  })
})
