import { chooseLanguage, LANGUAGES, type Language, language, texts } from '../text/language.ts';
import { Button } from './button.tsx';

/** The foot of every screen, which chooses the language. Each one has the name that its speakers know. */
export const Foot = () => (
  <footer>
    <div class="foot" role="group" aria-label={texts.$language}>
      {Object.entries(LANGUAGES).map(([tag, name]) => (
        <Button
          key={tag}
          class="link"
          lang={tag}
          aria-pressed={tag === language}
          onClick={() => chooseLanguage(tag as Language)}
        >
          {name}
        </Button>
      ))}
    </div>
  </footer>
);
