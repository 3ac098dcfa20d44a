"""Function words with which sentences begin: with a capital, they are no names, so that a sentence begins with them."""

from __future__ import annotations

_WORDS = {
    "cs": (
        "a ale ten ta to ti já ty on ona ono my vy oni v ve na z ze po pro při pak potom když kdy kde proč jak kdo co ano "
        "ne tak proto protože tady tam teď dnes je jsou"
    ),
    "da": ("og men han hun den det vi jeg du der her så da når hvis hvad hvor hvorfor hvem en et på til fra med efter ja nej nu"),
    "de": (
        "der die das den dem des ein eine einen einem einer ich du er sie es wir ihr man und aber oder denn doch wenn als "
        "weil obwohl da dann danach darauf dort hier heute gestern morgen jetzt nun so also auch nur noch schon in im an "
        "am auf aus bei beim mit nach seit von vom vor zu zum zur für über unter durch gegen ohne um bis während wegen "
        "trotz dies diese dieser dieses diesen alle viele einige andere mein meine dein deine sein seine unser unsere was "
        "wer wie wo wann warum wieso weshalb welche welcher ja nein nicht kein keine ist sind war waren hat haben bitte "
        "danke seitdem jedoch außerdem"
    ),
    "el": (
        "ο η το οι τα ένας μια ένα και αλλά όμως αυτός αυτή αυτό εγώ εσύ εμείς σε στο στη στην από με για μετά τότε όταν "
        "αν πού πότε γιατί πώς ποιος τι ναι όχι εδώ εκεί τώρα δεν είναι"
    ),
    "en": (
        "the a an and but or so if when while because although though since until after before in on at of to for from by "
        "with without under over during between among about into i you he she it we they my your his her its our their "
        "this that these those there here then now what who why how where which not no yes well also even each every some "
        "many most all both such however therefore thus yet once is are was were do does did can could should would let "
        "have has had one only just as like right indeed finally see let please okay oh um uh yeah"
    ),
    "es": (
        "el la los las un una y pero o si cuando mientras porque aunque desde hasta después antes luego entonces en de a "
        "por para con sin sobre entre yo tú él ella nosotros ellos ellas usted ustedes mi su nuestro este esta esto estos "
        "estas ese esa eso aquí allí ahora hoy ayer qué quién cómo dónde por no sí también muy todo todos así además es "
        "son fue hay lo se le les me"
    ),
    "fi": (
        "ja mutta tai hän se he me te minä sinä ne tämä nämä kun jos koska sitten siellä täällä nyt ei kyllä mitä missä "
        "miksi kuka on oli"
    ),
    "fr": (
        "le la les un une des et mais ou si quand lorsque parce puis alors ensuite après avant depuis dans en à au aux de "
        "du pour par avec sans sous sur je tu il elle on nous vous ils elles mon ma mes ton son sa ses notre leur ce cet "
        "cette ces cela ça c j qu qui que quoi où comment pourquoi ici là maintenant oui non ne pas très tout tous aussi "
        "ainsi donc voici est sont y"
    ),
    "hu": ("a az egy és de vagy ha mert ő ők én te mi ti ez ezek azok itt ott most akkor aztán majd nem igen ki mikor hol miért"),
    "it": (
        "il lo la i gli le un una uno e ma o se quando mentre perché poi allora dopo prima in nel nella di da a al per "
        "con senza su tra fra io tu lui lei noi voi loro mio suo questo questa questi quello quella qui lì ora oggi ieri "
        "chi che cosa come dove non no sì anche molto tutto tutti così quindi è sono era c"
    ),
    "nl": (
        "de het een en maar of als toen omdat dan daarna daar hier nu in op aan van voor met zonder door over bij naar na "
        "ik jij je hij zij ze wij we jullie dit dat deze die mijn zijn haar ons wat wie hoe waar waarom wanneer ja nee "
        "niet ook er is"
    ),
    "no": (
        "og men han hun den det vi jeg du de der her så da når hvis hva hvor hvorfor hvem en et på til fra med etter ja nei nå"
    ),
    "pl": (
        "i a ale lub gdy kiedy jeśli bo ponieważ potem wtedy później w we na z ze do od po przed za przez o ja ty on ona "
        "ono my wy oni one ten ta to te tam tu tutaj teraz dziś wczoraj co kto jak gdzie dlaczego nie tak też także jest "
        "są był była było były wszystko wszyscy więc"
    ),
    "pt": (
        "o a os as um uma e mas ou se quando enquanto porque depois então antes em no na nos nas de do da por para com "
        "sem eu tu ele ela nós eles elas você vocês meu minha seu sua este esta isto esse essa isso aquele aqui ali lá "
        "agora hoje ontem que quem como onde não sim também muito tudo todos assim é são foi há"
    ),
    "ro": (
        "un o și dar sau dacă când pentru că apoi atunci după în la din de cu pe prin eu tu el ea noi voi ei ele acest "
        "această acesta aceasta aici acolo acum azi ce cine cum unde nu da este sunt a au"
    ),
    "ru": (
        "и а но или если когда пока потому хотя потом затем тогда после до перед в во на с со у к ко о об от из за для "
        "без по при через под над я ты он она оно мы вы они мой твой его её наш ваш их этот эта это эти тот та то те там "
        "тут здесь сейчас теперь сегодня вчера что кто как где куда почему зачем который не нет да ни вот так же тоже "
        "также уже ещё все всё был была было были есть однако поэтому кроме"
    ),
    "sv": (
        "och men han hon den det vi jag du ni de där här så då när om vad var varför vem en ett på i till från med efter "
        "ja nej nu"
    ),
    "tr": (
        "ve ama veya çünkü sonra o bu şu ben sen biz siz onlar bir burada orada şimdi bugün dün ne kim nasıl nerede neden "
        "evet hayır da"
    ),
    "uk": (
        "і й та а але або якщо коли бо хоча потім тоді після до перед в у на з із зі к о від за для без по при через я ти "
        "він вона воно ми ви вони цей ця це ці той там тут зараз сьогодні що хто як де чому не ні так ось був була було "
        "були"
    ),
}
OPENERS = {language: frozenset(words.split()) for language, words in _WORDS.items()}
