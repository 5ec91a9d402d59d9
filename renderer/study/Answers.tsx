import type { Answer, Finding } from '../../engine/study/questions/answers.ts'
import { leadText } from '../../engine/study/questions/lead.ts'
import {
  claimText,
  differenceTexts,
  differenceUnit,
  seedRecord,
  twoDigits,
} from '../../engine/study/statistics/sentences.ts'
import { Head } from '../ui/Head.tsx'

interface AnswersProps {
  answers: readonly Answer[]
  /** Whether runs are missing that will be trained. */
  soFar: boolean
}

/** What a study asks and what its runs answer: a sentence each, and the figures behind them. */
export function Answers({ answers, soFar }: AnswersProps) {
  if (answers.length === 0) return null
  const findings = answers.flatMap((answer) => answer.findings.map((finding) => ({ answer, finding })))
  const lead = leadText(answers)
  const looked = findings.some(({ finding }) => finding.looks)
  return (
    <section className="answers" aria-label="what the study asks" data-testid="answers">
      {lead && (
        <p className="lead" data-testid="lead">
          {soFar && 'so far: '}
          {lead}
        </p>
      )}
      <ul>
        {findings.map(({ answer, finding: { name, sentence } }) => (
          <li key={`${answer.title} ${name}`} className={answer.exploratory ? 'muted' : undefined}>
            {soFar && 'so far: '}
            {sentence}
          </li>
        ))}
      </ul>
      <details>
        <summary>figures by question</summary>
        <div className="wide">
          <table className="variants">
            <thead>
              <tr>
                <Head>question</Head>
                <Head number>{looked ? 'median, confidence sequence' : 'mean, 95% CI'}</Head>
                <Head number>{looked ? 'p at any time' : 'p'}</Head>
                <Head number>{looked ? 'corrected' : 'Holm p'}</Head>
                <Head number>effect</Head>
                <Head number>wins–ties–losses</Head>
                <Head>claim</Head>
              </tr>
            </thead>
            <tbody>
              {findings.map(({ answer, finding }) => (
                <FindingLine key={`${answer.title} ${finding.name}`} {...{ answer, finding, soFar }} />
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </section>
  )
}

function FindingLine({ answer, finding, soFar }: { answer: Answer; finding: Finding; soFar: boolean }) {
  const { mean, interval } = differenceTexts(finding)
  const claim = finding.problems.length > 0 ? 'no verdict' : claimText(finding)
  return (
    <tr>
      <th scope="row" title={answer.title}>
        {finding.name}
      </th>
      <td className="number">
        {mean ?? '–'}
        {differenceUnit(finding.meaning).replace(',', '')}
        {interval && <span className="interval">{` [${interval}]`}</span>}
      </td>
      <td className="number">{twoDigits(finding.p)}</td>
      <td className="number">{twoDigits(finding.adjusted)}</td>
      <td className="number">{twoDigits(finding.effect)}</td>
      <td className="number">{seedRecord(finding)}</td>
      <td>{soFar ? 'so far' : answer.exploratory ? 'exploratory' : finding.interim ? 'interim' : claim}</td>
    </tr>
  )
}
