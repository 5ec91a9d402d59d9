import { useState } from 'react'
import type { Snippets as Lines } from '../../engine/export/formats/types.ts'
import { Button } from '../ui/Button.tsx'
import { Choice } from '../ui/Choice.tsx'
import { copyText } from '../ui/copyText.ts'
import { Icon } from '../ui/Icon.tsx'

const LANGUAGES = [
  ['python', 'Python'],
  ['javascript', 'JavaScript'],
] as const

/** Code that uses an exported file. */
export function Snippets({ of, snippets }: { of: string; snippets: Lines }) {
  const [language, setLanguage] = useState<keyof Lines>('python')
  const text = snippets[language].join('\n')
  return (
    <div className="export-snippet">
      <div className="export-snippet-head">
        <Choice
          label="use it in"
          options={LANGUAGES}
          value={language}
          onChange={setLanguage}
          testId="snippet-language"
        />
        <span className="spacer" />
        <Button look="small" testId="copy-snippet" onClick={() => void copyText(text, `The code for ${of}`)}>
          <Icon name="copy" /> Copy
        </Button>
      </div>
      <pre data-testid="snippet">{text}</pre>
    </div>
  )
}
