import type { Answer } from './answers.ts'

/**
 * What a study comes to, in one sentence above its answers: which level of a factor is better at its own best level of
 * another, and whether the effect of that one depends on it. Null for a study that does not ask which is better so.
 */
export function leadText(answers: readonly Answer[]): string | null {
  const asked = answers.find(({ question }) => question.ask === 'best')
  const shorts = asked?.findings.flatMap(({ short }) => short ?? []) ?? []
  if (!asked || shorts.length === 0) return null
  const { factor, over } = asked.question as { factor?: unknown; over?: unknown }
  const beside = answers.find(({ question: { ask, factors } }) => {
    return ask === 'interaction' && [factor, over].every((name) => (factors as unknown[]).includes(name))
  })
  const depends = beside && [dependsText(beside, String(factor), String(over))]
  return [marked(shorts.join(', '), asked), ...(depends ?? [])].join('; ')
}

function dependsText(answer: Answer, factor: string, over: string): string {
  const isShown = answer.findings.some(({ claim }) => claim === 'better' || claim === 'worse' || claim === 'different')
  const what = `the effect of ${over} depends on ${factor}`
  return marked(isShown ? what : `that ${what} is not shown`, answer)
}

const marked = (text: string, { exploratory }: Answer) => (exploratory ? `${text} (exploratory)` : text)
