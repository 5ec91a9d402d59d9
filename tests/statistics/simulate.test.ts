import { describe, expect, it } from 'vitest'
import { LONG } from '../long.ts'
import { STUDIES } from './scenarios.ts'
import { simulated } from './simulate.ts'

const studies = LONG ? STUDIES : 60
/** 5%, and two standard errors of a share of so many studies; three for a sample. */
const LIMIT = 0.05 + (LONG ? 2 : 3) * Math.sqrt((0.05 * 0.95) / studies)

describe('verdicts of simulated studies', () => {
  it('claim anything false in at most 5%, with seeds that learn late, diverge or always fail, and with a margin', () => {
    const wanted = ['late', 'diverged', 'margin', 'chance', ...(LONG ? ['normal', 't3'] : [])]
    for (const row of simulated(wanted, studies)) {
      expect(row.false, `${row.scenario}, ${row.effect} sd, ${row.seeds} seeds`).toBeLessThanOrEqual(LIMIT)
    }
  })
  it('take no arm that is steadily lower for one that fails', () => {
    for (const { seeds, failed } of simulated(['steadily'], studies)) {
      expect(failed, `${seeds} seeds`).toBeLessThanOrEqual(0.01)
    }
  })

  it('claim anything of 60 equal variants, compared one at a time, in at most 5% of workspaces; one of 2 sd is found', () => {
    const rows = [...simulated(['60 equal', '10th of 10'], LONG ? studies : 20)].filter(({ scenario }) =>
      scenario.endsWith('in its family'),
    )
    const [equal, last] = rows as [(typeof rows)[number], (typeof rows)[number]]
    expect(equal.false).toBeLessThanOrEqual(LONG ? LIMIT : 0.2)
    expect(last.shown).toBeGreaterThanOrEqual(0.65)
  })
})
