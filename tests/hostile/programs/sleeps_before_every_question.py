import builtins, time

asks = builtins.input
builtins.input = lambda *words: (time.sleep(1.5), asks(*words))[1]

@HONEST@
