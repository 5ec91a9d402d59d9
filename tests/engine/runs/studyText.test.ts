import { describe, expect, it } from 'vitest'
import { answersTable } from '../../../engine/runs/answersTable.ts'
import { studyText } from '../../../engine/runs/studyText.ts'
import { verdictTable } from '../../../engine/runs/verdictTable.ts'
import { ask } from '../../../engine/study/questions/index.ts'
import { ACCURACY } from '../../meanings.ts'
import { answered, noise } from '../study/questions/crossed.ts'

const LEVELS = { block: ['gmlp', 'mixer'], lr: [1, 2] }
const questions = [ask.best('block', { over: 'lr' }), ask.interaction('block', 'lr'), ask.effect('lr')]
const found = answered(questions, {
  levels: LEVELS,
  value: ({ block, lr }, seed) => noise(seed, Number(lr)) + (block === 'mixer' ? -Number(lr) / 10 : 0),
})
const variants = verdictTable({
  variants: [{ variant: 'a_b', mean: '93.12 ± 0.41 (6)' }],
  title: 'test/accuracy, %, mean ± sd (n)',
  meaning: ACCURACY,
  baseline: 'a_b',
  verdicts: [],
})

describe('a study to take away', () => {
  it('begins with what it comes to, in LaTeX and in Markdown', () => {
    const latex = studyText('latex', { answers: found, verdicts: [] }, variants)
    expect(latex).toMatch(/^block gmlp is better than mixer, each at its best lr .*\n\n\\begin{tabular}{p{/)
    expect(latex).toContain('& $-$10.0 &')
    expect(latex).toMatch(
      /variant & test\/accuracy, \\%, mean \$\\pm\$ sd \(n\) \\\\[\s\S]*a\\_b & \$93.12 \\pm 0.41\$ \(6\)/,
    )
    expect(studyText('markdown', { answers: found, verdicts: [] }, variants)).toMatch(
      /^block gmlp is better than mixer, .*\n\n\| question/,
    )
    expect(studyText('latex', { answers: [], verdicts: [] }, variants)).toMatch(/^\\begin{tabular}{lr}/)
  })

  it('has a line for each part of a question, with what is claimed in its own words', () => {
    const claims = answersTable(found).rows.map((row) => row.at(-1))
    expect(claims).toEqual(['worse', 'gains less', 'worse'])
    const late = answered([ask.effect('lr'), ask.effect('block')], { levels: LEVELS, value: (_, seed) => noise(seed) })
    expect(answersTable(late).rows.map((row) => row.at(-1))).toEqual(['equal on all seeds', 'exploratory'])
    expect(studyText('latex', { answers: late, verdicts: [] }, variants)).toMatch(
      /; exploratory: question 1 of the plan is open\n/,
    )
  })
})
