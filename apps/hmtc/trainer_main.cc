// hmtc-trainer: hmtc with what trains networks in it.
#include "learn/train_network.h"
#include "program.h"

int main(int argc, char** argv) { return hmtc::run_program(argc, argv, hmtc::train_network); }
