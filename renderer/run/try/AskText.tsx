import { type ChangeEvent, useId, useState } from 'react'

interface AskTextProps {
  /** What each text is called. */
  names: readonly string[]
  /** Those that have many lines. */
  long?: readonly string[] | undefined
  /** Texts that take the place of those that are there, once. */
  taken?: readonly string[] | undefined
  onAsk(texts: string[]): void
}

/** Texts to be asked about. */
export function AskText({ names, long = [], taken, onAsk }: AskTextProps) {
  const [texts, setTexts] = useState(names.map(() => ''))
  const [last, setLast] = useState(taken)
  if (taken !== last) {
    setLast(taken)
    if (taken) setTexts([...taken])
  }
  const id = useId()
  const change = (i: number) => (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
    setTexts(texts.with(i, event.target.value))
  return (
    <form
      className="try-texts"
      onSubmit={(event) => {
        event.preventDefault()
        onAsk(texts)
      }}
    >
      {names.map((name, i) => (
        <label key={name} htmlFor={`${id}-${i}`}>
          <span className="muted">{name}</span>
          {long.includes(name) ? (
            <textarea id={`${id}-${i}`} rows={6} value={texts[i]} onChange={change(i)} data-testid={`try-text-${i}`} />
          ) : (
            <input id={`${id}-${i}`} value={texts[i]} onChange={change(i)} data-testid={`try-text-${i}`} />
          )}
        </label>
      ))}
      <button type="submit" className="button">
        Ask
      </button>
    </form>
  )
}
