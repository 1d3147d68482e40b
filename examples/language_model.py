"""A language model as a strategy: any model that the library llm, or one of its plugins, can reach.

    pip install 'llm>=0.34'
    wordle-kit tournament -p language_model.py -p model_figures.py -s "language-model(model=NAME)" -s entropy \
        --puzzles 200 --workers 8 --deadline 300

Each worker plays a puzzle at a time, so `--workers` is the number of questions that are open simultaneously.
"""

import time
from functools import cache

import llm
from pydantic import Field
from wordle_kit_plugins.environments import ASK, prompt_of, word_in

import wordle_kit as wk

WAIT = 1.0
"""Seconds before a call that failed is repeated. They double with each further failure of a decision."""

AGAIN = "{problem}. Choose another {noun}, and write a last line with GUESS: and the {noun}."

model_called = cache(llm.get_model)


class LanguageModel(wk.Strategy):
    """Ask a language model for each guess, and again if its answer is not an allowed word.

    A question has the rules and the position, so no answer depends on another puzzle. A play whose model does not
    answer has timed out, and is played again when the tournament is repeated.
    """

    model: str = ""
    """The model's name: `llm models` lists them."""
    options: tuple[str, ...] = ()
    """Options of the model, such as `temperature=0`."""
    tries: int = Field(default=4, ge=1)
    """The most calls for one guess."""
    calls: int = Field(default=40, ge=1)
    """The most calls for one puzzle."""

    stochastic = True
    by_name_only = True
    chunk = 1

    def problem_with(self, game: wk.Game) -> str | None:
        """Return why the model cannot be asked, or None if it can."""
        try:
            model = model_called(self.model)
            model.Options(**self.settings)
            if model.needs_key:
                model.get_key()
        except Exception as error:  # an unknown model, a missing key, a wrong option: each provider has its own
            return f"{type(error).__name__}: {error}; `llm models` lists the models"
        return None

    @property
    def settings(self) -> dict[str, str]:
        """The options by name."""
        return dict(option.split("=", 1) for option in self.options)

    def guess(self, position: wk.Position) -> str:
        """Return the model's word. Raises TimeoutError if it does not answer."""
        talk, noun = model_called(self.model).conversation(), position.game.nouns[0]
        question = f"{prompt_of(position)}\n\n{ASK.format(noun=noun)} Guess on even if no guess is left."
        word, error = "", None
        for number in range(self.tries):
            if error is not None:
                time.sleep(WAIT * 2 ** (number - 1))
            if position.notes.get("calls", 0) >= self.calls:
                raise wk.StrategyError(f"the {self.calls} calls for this puzzle are spent")
            position.note(calls=1)
            try:
                answer = talk.prompt(question, stream=False, **self.settings)
                word, usage, error = word_in(answer.text(), position.game), answer.usage(), None
            except Exception as failure:  # the network, a limit of the provider, half an answer
                error = failure
                position.note(unanswered=1)
                continue
            position.note(input_tokens=usage.input or 0, output_tokens=usage.output or 0)
            if (problem := position.problem_with(word)) is None:
                return word
            position.note(illegal=1)
            question = AGAIN.format(problem=problem, noun=noun)
        if error is not None:
            raise TimeoutError(f"{self.model} did not answer: {type(error).__name__}: {error}") from error
        return word  # the tournament says what is wrong with it


@wk.hookimpl
def register_strategies(register):
    """Register the strategy, which plays if a tournament names it with a model."""
    register(LanguageModel())
