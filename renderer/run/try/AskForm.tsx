import { AskExample } from './AskExample.tsx'
import { AskFile } from './AskFile.tsx'
import { AskText } from './AskText.tsx'
import { DrawingPad } from './DrawingPad.tsx'
import type { Question, QuestionKind } from './question.ts'
import { WriteText } from './WriteText.tsx'

interface AskFormProps {
  asked: QuestionKind
  /** How many validation examples there are to ask about. */
  examples?: number
  /** The texts of the example that was asked about last. */
  taken?: readonly string[] | undefined
  onAsk(question: Question): void
}

/** All ways to ask a model something by hand. */
export function AskForm({ asked, examples = Number.POSITIVE_INFINITY, taken, onAsk }: AskFormProps) {
  return (
    <>
      {asked.files && <AskFile accept={asked.files} onAsk={onAsk} />}
      {asked.drawn && <DrawingPad onDrawn={(strokes) => onAsk({ strokes })} />}
      {asked.texts.length > 0 && (
        <AskText names={asked.texts} long={asked.long} taken={taken} onAsk={(texts) => onAsk({ texts })} />
      )}
      {asked.examples && examples > 0 && <AskExample examples={examples} onAsk={(example) => onAsk({ example })} />}
      {asked.writes && <WriteText onAsk={(write) => onAsk({ write })} />}
    </>
  )
}
