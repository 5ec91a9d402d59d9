import { useState } from 'react'

interface AskTextProps {
  /** What each text is called. */
  names: readonly string[]
  onAsk(texts: string[]): void
}

/** Texts to be asked about. */
export function AskText({ names, onAsk }: AskTextProps) {
  const [texts, setTexts] = useState(names.map(() => ''))
  return (
    <form
      className="try-texts"
      onSubmit={(event) => {
        event.preventDefault()
        onAsk(texts)
      }}
    >
      {names.map((name, i) => (
        <label key={name}>
          <span className="muted">{name}</span>
          <input
            value={texts[i]}
            onChange={({ target }) => setTexts(texts.with(i, target.value))}
            data-testid={`try-text-${i}`}
          />
        </label>
      ))}
      <button type="submit" className="button">
        Ask
      </button>
    </form>
  )
}
