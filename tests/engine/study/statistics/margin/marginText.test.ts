import { describe, expect, it } from 'vitest'
import { SMALL, said, verdictOf } from '../withMargin.ts'

const HOLDS =
  '; no run of 8 seeds diverged, so up to 31% of seeds may still diverge (95%); assumes symmetric differences'

describe('with a margin a verdict', () => {
  it('says what is equal', () => {
    expect(verdictOf(SMALL)).toMatchObject({ claim: 'equal', within: { above: true, below: true, inside: 8 } })
    expect(said(SMALL)).toBe(
      `gated equals plain within 1 point: +0.03 points (90% CI -0.13 to 0.18; within it on 8 of 8 seeds, p = 0.0039)${HOLDS}`,
    )
    expect(said(SMALL, { metric: 'test/loss' })).toMatch(/^gated equals plain within 0\.01 nats: \+0\.0003/)
    expect(said(SMALL, { margin: 0.005 })).toMatch(/^gated equals plain within 0\.5 points: /)
  })

  it('says what is better, and yet within it', () => {
    const gains = SMALL.map((gain) => 0.004 + gain)
    expect(said(gains)).toBe(
      `gated is more accurate than plain by 0.43 points (95% CI 0.25 to 0.60; 8 of 8 seeds, p = 0.0078)${HOLDS}; within the margin of 1 point (90% CI 0.28 to 0.58)`,
    )
    expect(said(gains, { metric: 'test/loss' })).toMatch(
      /^gated has a higher loss than plain by 0\.004\d nats .*; within the margin of 0\.01 nats \(90% CI /,
    )
  })

  it('says as before what is better, and no word of a margin that it is beyond', () => {
    const gains = SMALL.map((gain) => 0.03 + gain)
    expect(said(gains)).toBe(said(gains, { margin: undefined }))
  })

  it('says what is not worse, or not better, by more than it', () => {
    const gains = [0.03, -0.005, 0.02, 0.001, -0.004, 0.015, 0.01, -0.002]
    expect(said(gains)).toMatch(
      /^gated is not worse than plain by more than 1 point: \+0\.8 points \(90% CI .*; better on 5 of 8 seeds\); /,
    )
    expect(said(gains.map((gain) => -gain))).toMatch(
      /^gated is not better than plain by more than 1 point: -0\.8 points \(/,
    )
    expect(verdictOf(gains, { metric: 'test/loss' }).claim).toBe('not better')
  })

  it('says neither where no way is better', () => {
    const gains = [0.03, -0.005, 0.02, 0.001, -0.004, 0.015, 0.01, -0.002]
    const sentence = said(gains, { metric: 'readout/own' })
    expect(sentence).toMatch(
      /^gated is not shown to differ from plain: .*; not shown to be equal within 0\.01; which way is better is not known; /,
    )
    expect(said(SMALL, { metric: 'readout/own' })).toMatch(/^gated equals plain within 0\.01: /)
  })

  it('leaves it open, with the seeds that would show it', () => {
    const gains = [0.022, -0.028, 0.016, -0.021, 0.014, 0.015, -0.012, 0.001]
    expect(said(gains)).toMatch(
      /^gated is not shown to differ from plain: \+0\.1 points \(95% .* 5 of 8 seeds, p = .*; not shown to be equal within 1 point; about \d+ more seeds? would show it equal$/,
    )
  })

  it('says how many seeds it takes at least', () => {
    expect(said(SMALL.slice(0, 4))).toMatch(
      /^too few seeds to tell gated from plain: .*; not shown to be equal within 1 point, which takes at least 5 seeds; /,
    )
    expect(said(SMALL.slice(0, 5))).toMatch(/^gated equals plain within 1 point: .*; within it on 5 of 5 seeds, p = /)
  })
})
