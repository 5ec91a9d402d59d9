import { useState } from 'react'
import type { GenerateOptions } from '../../../engine/predict/generate.ts'

/** A text to be gone on with, and how. */
export function WriteText({ onAsk }: { onAsk(options: GenerateOptions): void }) {
  const [prompt, setPrompt] = useState('')
  const [temperature, setTemperature] = useState('1')
  const [topK, setTopK] = useState('')
  const [tokens, setTokens] = useState('64')
  const [stop, setStop] = useState('')
  const [seed, setSeed] = useState(0)
  const options = {
    prompt,
    temperature: Number(temperature),
    ...(topK && { topK: Number(topK) }),
    tokens: Number(tokens),
    stop: stop ? [stop] : [],
  }
  return (
    <form
      className="try-texts"
      onSubmit={(event) => {
        event.preventDefault()
        onAsk({ ...options, seed })
        setSeed(seed + 1) // the next one is another draw
      }}
    >
      <label>
        <span className="muted">the text begins with</span>
        <input value={prompt} onChange={({ target }) => setPrompt(target.value)} data-testid="try-prompt" />
      </label>
      <label>
        <span className="muted">temperature; 0 takes the likeliest token each time</span>
        <input
          type="number"
          min="0"
          max="100"
          step="any"
          required
          value={temperature}
          onChange={({ target }) => setTemperature(target.value)}
          data-testid="try-temperature"
        />
      </label>
      <label>
        <span className="muted">top-k: one of the k likeliest tokens each time; empty for all</span>
        <input
          type="number"
          min="1"
          value={topK}
          onChange={({ target }) => setTopK(target.value)}
          data-testid="try-top-k"
        />
      </label>
      <label>
        <span className="muted">most tokens that are added</span>
        <input
          type="number"
          min="1"
          max="2000"
          required
          value={tokens}
          onChange={({ target }) => setTokens(target.value)}
          data-testid="try-tokens"
        />
      </label>
      <label>
        <span className="muted">ends before</span>
        <input value={stop} onChange={({ target }) => setStop(target.value)} data-testid="try-stop" />
      </label>
      <button type="submit" className="button" data-testid="try-write">
        Write
      </button>
    </form>
  )
}
