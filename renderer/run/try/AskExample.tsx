import { useState } from 'react'
import { Button } from '../../ui/Button.tsx'

interface AskExampleProps {
  /** How many there are; after the last comes the first. */
  examples: number
  onAsk(example: number): void
}

/** Validation examples, one after the other; a click asks about the next one. */
export function AskExample({ examples, onAsk }: AskExampleProps) {
  const [next, setNext] = useState(0)
  return (
    <Button
      onClick={() => {
        onAsk(next)
        setNext((next + 1) % examples)
      }}
      data-testid="try-example"
    >
      {next === 0 ? 'Take a validation example' : `Take validation example ${next + 1}`}
    </Button>
  )
}
