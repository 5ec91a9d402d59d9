import { Button } from './Button.tsx'
import { dismiss, useNotices } from './notices.ts'

/** The message of the moment. */
export function NoticeView() {
  const notice = useNotices((state) => state.notice)
  return (
    <div className="notices" role="status" aria-label="message">
      {notice && (
        <div className="notice" data-tone={notice.tone ?? 'plain'} data-testid="notice">
          <span>{notice.text}</span>
          {notice.action && (
            <Button
              look="small"
              onClick={() => {
                notice.action?.run()
                dismiss(notice.id)
              }}
            >
              {notice.action.label}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}
