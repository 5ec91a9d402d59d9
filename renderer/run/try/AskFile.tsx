import { useRef, useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import type { Question } from './question.ts'

interface AskFileProps {
  /** What the file dialog offers. */
  accept: string
  onAsk(question: Question): void
}

/** A file to be asked about, dropped or chosen. */
export function AskFile({ accept, onAsk }: AskFileProps) {
  const input = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const take = async (file: File | undefined) => {
    if (file) onAsk({ file: new Uint8Array(await file.arrayBuffer()), name: file.name })
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button does the same
    <div
      className="try-drop"
      data-over={over}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        void take(event.dataTransfer.files[0])
      }}
    >
      <input
        ref={input}
        type="file"
        accept={accept}
        hidden
        onChange={({ target }) => {
          void take(target.files?.[0])
          target.value = '' // the same file can be chosen again
        }}
        data-testid="try-file"
      />
      <Button onClick={() => input.current?.click()}>
        <Icon name="import" /> Choose a file
      </Button>
      <span className="muted">or drop one here</span>
    </div>
  )
}
